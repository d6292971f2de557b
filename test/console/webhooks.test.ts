import { expect } from 'chai'
import { createOperator } from '../api/admin/operator.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { endpointUrl } from '../support/casino-world.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../support/fake-wallet.ts'
import { itInLongForm } from '../support/runs.ts'

describe('webhooks and partners in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const atTestEnd = atEndOfTest()
  const open = consoleOfSuite((started) => {
    world = started
    world.service.startWorker()
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
  })
  /** Confirms the dialog that is open, with a reason. */
  const confirm = async ({ page }: ConsolePage, button: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Der Händler hat gefragt: 100 %')
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  it('show the deliveries of an endpoint, test it, switch it, and send one event or a period again', async () => {
    const receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
    const operator = createOperator(world.service.client, casino.apiKey)
    const put = await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: receiver.url })
    expect(put.status, put.text).to.equal(201)
    await world.service.factory.prize(casino.id)

    const window = await open(`/casinos/${casino.id}/webhooks`, { role: 'support' })
    const { page, complaints, goTo } = window
    await page.getByRole('link', { name: 'crm' }).click()
    await page.getByRole('cell', { name: 'prize.won' }).waitFor()
    await page.getByRole('button', { name: /^Send evt_\d+ again$/ }).waitFor()
    await expectUsable(window, 'webhook endpoint')
    await page.getByRole('button', { name: /^Send evt_\d+ again$/ }).click()
    await confirm(window, 'Send again')
    await page.getByText('again 1').waitFor()
    // A pending delivery is not sent again.
    await eventually('it is delivered', async () => {
      const where = { casinoId: casino.id, state: 'pending' }
      return (await world.service.database.webhookDelivery.count({ where })) === 0
    })

    await page.getByRole('button', { name: 'Send a test event' }).click()
    await confirm(window, 'Send a test event')
    await page.getByText('The receiver took it (20').waitFor()

    await page.getByRole('button', { name: 'Send events again' }).click()
    await page.getByLabel('Which').selectOption('false')
    await page.getByRole('dialog').getByLabel('From').fill('yesterday')
    await page.getByRole('dialog').getByLabel('Until').fill('2099-01-01')
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
    await page.getByText('from must be').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Until').inputValue()).to.equal('2099-01-01')
    await page.getByRole('dialog').getByLabel('From').fill('2020-01-01')
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
    // The preview counts and lists the events; nothing is sent before it is started.
    await page.getByRole('heading', { level: 1, name: 'Send again: 1 event' }).waitFor()
    await page.getByText('1 selected: 1 waiting').waitFor()
    await page.getByRole('cell', { name: /^evt_\d+$/ }).waitFor()
    expect(await world.service.database.webhookDelivery.count({ where: { casinoId: casino.id } })).to.equal(2)
    await expectUsable(window, 'replay of a period')
    await page.getByRole('button', { name: 'Start' }).click()
    await confirm(window, 'Start')
    await page.getByText('1 selected: 0 waiting, 1 done').waitFor()
    expect(await world.service.database.webhookDelivery.count({ where: { casinoId: casino.id } })).to.equal(3)
    await goTo(`/casinos/${casino.id}/webhooks/crm`)
    await page.getByText('again 2').waitFor()
    await expectUsable(window, 'webhook endpoint with deliveries')

    await page.getByRole('button', { name: 'Disable' }).click()
    await confirm(window, 'Disable')
    await page.getByRole('button', { name: 'Enable' }).click()
    await confirm(window, 'Enable')
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).to.deep.equal([])
    const audited = await world.service.database.auditEntry.findMany({ where: { casinoId: casino.id } })
    expect(audited.map(({ reason }) => reason)).to.include('Der Händler hat gefragt: 100 %')
  })

  itInLongForm(
    'show the next try of each delivery that fails, beside the id of its order, on one screen',
    async () => {
      const operator = createOperator(world.service.client, casino.apiKey)
      const put = await operator.put(`/${casino.id}/webhook-endpoints/unreachable`, { url: endpointUrl })
      expect(put.status, put.text).to.equal(201)
      const { prizeId, playerId } = await world.service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      expect((await world.service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
      const window = await open(`/casinos/${casino.id}/webhooks/unreachable`, { role: 'support' })
      const { page } = window
      await eventually('the delivery of a prize has failed, and that of its order waits', async () => {
        await page.reload()
        await page.getByRole('row').nth(1).waitFor()
        const failed = page.getByRole('row').filter({ hasText: 'prize.won' }).filter({ hasText: 'last: ' })
        const waiting = page.getByRole('row').filter({ hasText: 'prize_order.placed' })
        return (
          (await failed.locator('td[data-name="Next try"] time').count()) === 1 &&
          (await waiting.count()) === 1
        )
      })
      await expectUsable(window, 'webhook endpoint that fails')
    },
  )

  itInLongForm(
    'lead from the work list to a paused wallet, say why it is paused, and resume it',
    async () => {
      const wallet = await startFakeWallet()
      atTestEnd(() => wallet.stop())
      const { database, deps } = world.service
      await useWallet(database, deps.config, casino.id, wallet)
      await database.casinoSetting.updateMany({
        where: { casinoId: casino.id, name: 'wallet' },
        data: { pausedAt: new Date(), pausedReason: 'status_401' },
      })
      const window = await open(`/?casino_id=${casino.id}`, { role: 'support' })
      const { page, complaints } = window
      await page.getByRole('link', { name: 'Paused partners: wallet' }).click()
      await page.getByText('status 401').waitFor()
      await expectUsable(window, 'partners')
      await page.getByRole('button', { name: 'Test Wallet' }).click()
      await confirm(window, 'Test')
      await page.getByRole('button', { name: 'Resume Wallet' }).click()
      await confirm(window, 'Resume')
      await page.getByText('It is resumed.').waitFor()
      await page.getByText('status 401').waitFor({ state: 'hidden' })
      const setting = await database.casinoSetting.findFirstOrThrow({ where: { casinoId: casino.id } })
      expect(setting.pausedAt).to.equal(null)
      expect(complaints).to.deep.equal([])
    },
  )

  itInLongForm('offer viewers only actions that are allowed', async () => {
    const wallet = {
      url: 'https://wallet.example.com',
      secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    }
    await useWallet(world.service.database, world.service.deps.config, casino.id, wallet)
    const operator = createOperator(world.service.client, casino.apiKey)
    await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: 'https://crm.example.com/' })
    const { page, goTo } = await open(`/casinos/${casino.id}/webhooks/crm`, { role: 'viewer' })
    await page.getByText('No deliveries fit.').waitFor()
    const buttons = page.locator('main button')
    expect(await buttons.allTextContents()).to.deep.equal(['Filter'])
    await goTo(`/casinos/${casino.id}/partners`)
    await page.getByText('https://wallet.example.com').waitFor()
    expect(await buttons.count()).to.equal(0)
  })
})
