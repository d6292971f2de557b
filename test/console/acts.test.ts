import { expect } from 'chai'
import { placeOrders } from '../support/acts.ts'
import { adminApiKey } from '../support/config.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { itInLongForm } from '../support/runs.ts'

/** Within this time the page of a waiting act loads it again. */
const nextPollMs = 10_000

describe('acts in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite((started) => {
    world = started
    world.service.startWorker()
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
  })
  it('preview, start and follow an action on many orders, one of which has changed meanwhile', async () => {
    const [changed = ''] = await placeOrders(world.service, casino, 3)
    const window = await open(`/casinos/${casino.id}/orders`, { role: 'support' })
    const { page, complaints } = window
    await page.getByRole('button', { name: 'Select the 3 of this page' }).click()
    await page.getByText('3 orders selected').waitFor()
    await expectUsable(window, 'orders selected')
    await page.getByLabel('Action').selectOption('order.confirm')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('3 selected: 3 waiting, 0 done').waitFor()
    await page.getByText('The order is confirmed, and a worker submits it for shipment.').waitFor()

    await page.locator('tbody tr').first().waitFor()
    await page.evaluate('document.querySelector("tbody tr").id = "shown-before"')
    const path = `/admin/casinos/${casino.id}/orders/${changed}/hold`
    const between = { hold_reason: 'customs', reason: 'In between' }
    expect((await world.service.client.post(path, casino.apiKey, between)).status).to.equal(200)
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByLabel('Reason').fill('The warehouse has them')
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByText('0 waiting, 2 done, 1 refused').waitFor()
    // The list of objects is updated in place.
    await page
      .locator('#shown-before')
      .getByText(/done|refused/)
      .waitFor()
    await page.getByLabel('Result').selectOption('refused')
    await page.getByText('The object has changed since revision').waitFor()
    await page.getByRole('link', { name: changed }).waitFor()
    await expectUsable(window, 'act with a refused object')
    expect(complaints).to.deep.equal([])
    const states = await world.service.database.prizeOrder.findMany({ where: { casinoId: casino.id } })
    expect(states.find(({ id }) => id === changed)?.state).to.equal('pending_confirmation')
  })

  itInLongForm(
    'need a second operator above the limit: the maker can only wait, the other one approves',
    async () => {
      const { client, factory } = world.service
      const limits = { limits: [{ amount_minor: 1, currency: 'EUR' }] }
      const asAdmin = { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' }
      const put = await client.send('PUT', `/admin/casinos/${casino.id}/settings/approvals`, {
        headers: asAdmin,
        body: JSON.stringify(limits),
      })
      expect(put.status, put.text).to.equal(200)
      const { playerId, prizeId } = await factory.prize(casino.id)
      await client.post('/prize/cashback', casino.apiKey, { player_id: playerId, prize_id: prizeId })
      await world.service.drain()
      const { id } = await world.service.database.cashback.findFirstOrThrow({
        where: { casinoId: casino.id },
      })

      const maker = await open(`/casinos/${casino.id}/cashbacks/${id}`, {
        role: 'finance',
        hasOwnClock: true,
      })
      await maker.page.getByRole('button', { name: 'Reverse' }).click()
      await maker.page.getByLabel('The prize').selectOption('return')
      await maker.page.getByLabel('Reason').fill('Credited by mistake')
      await maker.page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click()
      await maker.page.getByText('The amount needs another person').waitFor()
      expect(await maker.page.getByLabel('Reason').inputValue()).to.equal('Credited by mistake')
      // An object that has changed since the page was loaded is not proposed.
      const { revision } = await world.service.database.cashback.findFirstOrThrow({ where: { id } })
      const changeTo = (to: number) =>
        world.service.database.cashback.updateMany({ where: { id }, data: { revision: to } })
      await changeTo(revision + 1)
      await maker.page.getByRole('button', { name: 'Propose' }).click()
      await maker.page.getByText('Nothing was proposed.').waitFor()
      expect(await maker.page.getByLabel('Reason').inputValue()).to.equal('Credited by mistake')
      await changeTo(revision)
      await maker.page.getByRole('button', { name: 'Propose' }).click()
      await maker.page.getByText('It waits for another person to approve it.').waitFor()
      expect(await maker.page.getByRole('button', { name: 'Approve' }).count()).to.equal(0)
      await expectUsable(maker, 'proposal of the maker')

      const second = await open(`/?casino_id=${casino.id}`, { role: 'finance' })
      await second.page.getByRole('link', { name: 'Proposals that wait for a second person' }).click()
      await second.page.getByRole('link', { name: 'Reverse: 1 cashback' }).click()
      await second.page.getByRole('button', { name: 'Approve' }).click()
      await second.page.getByLabel('Reason').fill('I have seen the booking')
      await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await second.page.getByText('0 waiting, 1 done').waitFor()
      await expectUsable(second, 'approved act')
      await maker.page.clock.fastForward(nextPollMs)
      await maker.page.getByText('0 waiting, 1 done').waitFor()
      // The browser itself reports the refusal.
      const complaints = [...maker.complaints, ...second.complaints]
      expect(complaints.filter((text) => !text.includes('409 (Conflict)'))).to.deep.equal([])
    },
  )
})
