import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import { at, createOperator } from '../api/admin/operator.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import { itInLongForm } from '../support/runs.ts'

const player = 'player<script>alert(1)</script>\u202e-1'

describe('the page of a player in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite((started) => {
    world = started
    world.service.startWorker()
  })
  beforeEach(async () => {
    const { factory, client } = world.service
    casino = await factory.casino()
    const itemId = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, { boxId: 'daily', entries: [{ itemId, weight: 1 }] })
    await factory.grant(casino.id, player, boxId, 7)
    const { prizeId } = await factory.prize(casino.id, { playerId: player })
    const body = { player_id: player, prize_id: prizeId, ...delivery }
    expect((await client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
  })
  const path = () => `/casinos/${casino.id}/players/${encodeURIComponent(player)}`
  it('shows the player’s objects, exports them with a reason, and erases the player once the id was typed', async () => {
    const window = await open(path(), { role: 'admin' })
    const { page, complaints } = window
    const left = page.getByRole('table', { name: 'Openings left of each open box' })
    await left.getByRole('cell', { name: 'daily' }).waitFor()
    await left.getByRole('cell', { name: '7', exact: true }).waitFor()
    const grants = page.getByRole('table', { name: 'Grants' })
    await grants.getByRole('cell', { name: 'daily' }).waitFor()
    await grants.getByRole('cell', { name: '0 of 7' }).waitFor()
    await page.getByText('1 pending confirmation').waitFor()
    await expectUsable(window, 'player 1280')

    await page.getByRole('button', { name: 'Export everything' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The player asked for it')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export everything' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).to.contain(delivery.street)
    await page.getByText('The file is in your downloads.').waitFor()

    await page.getByRole('button', { name: 'Erase personal data' }).click()
    const contents = dialog.getByRole('list', { name: 'What will be erased' })
    await contents.getByText('open orders, when they end: 1').waitFor()
    await contents.getByText('notes: 0').waitFor()
    await expectUsable(window, 'erasing a player')
    await dialog.getByLabel('Type the player’s id to confirm').fill('player-1')
    await dialog.getByLabel('Reason').fill('The player asked for it')
    await dialog.getByRole('button', { name: 'Erase personal data' }).click()
    await dialog.getByText('This is another id.').waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).to.equal('The player asked for it')
    await dialog.getByLabel('Type the player’s id to confirm').fill(player)
    const { id: prizeId } = await world.service.database.prize.findFirstOrThrow({
      where: { casinoId: casino.id },
    })
    const script = createOperator(world.service.client, casino.apiKey)
    const added = await script.post(`/${casino.id}/prizes/${prizeId}/notes`, { text: 'Called in between' })
    expect(added.status, added.text).to.equal(201)
    await dialog.getByRole('button', { name: 'Erase personal data' }).click()
    await dialog.getByText('Nothing was erased: see above').waitFor()
    await contents.getByText('notes: 1').waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).to.equal('The player asked for it')
    await expectUsable(window, 'erasing a player who has changed')
    await dialog.getByRole('button', { name: 'Erase personal data' }).click()
    await page.getByText('details go when they end: 1.').waitFor()
    await page.getByText('waits for open orders').waitFor()
    expect(complaints.filter((text) => !text.includes('409 (Conflict)'))).to.deep.equal([])
    const note = await world.service.database.prizeNote.findFirstOrThrow({ where: { prizeId } })
    expect(note.textKey, 'the note in between').to.equal(null)

    const entries = await world.service.database.auditEntry.findMany({ where: { casinoId: casino.id } })
    const said = entries.flatMap(({ reason }) => (reason === null ? [] : [reason]))
    expect(said).to.include('The player asked for it')
  })

  itInLongForm('leads to the cashbacks of the player, and to no others', async () => {
    const { factory, client } = world.service
    for (const playerId of [player, 'another player']) {
      const { prizeId } = await factory.prize(casino.id, { playerId })
      const body = { player_id: playerId, prize_id: prizeId }
      expect((await client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    }
    const own = await world.service.database.cashback.findMany({ where: { casinoId: casino.id } })
    const { page, complaints } = await open(path(), { role: 'viewer' })
    await page.locator(`a[href*="/cashbacks?player_id="]`).click()
    await page.getByRole('heading', { level: 1, name: 'Cashbacks' }).waitFor()
    for (const { id, playerId } of own.toSorted((one) => (one.playerId === player ? -1 : 1))) {
      const link = page.getByRole('link', { name: id })
      if (playerId === player) await link.waitFor()
      else expect(await link.count()).to.equal(0)
    }
    expect(own).to.have.length(2)
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('gives a prize, and proposes one above the limit of the casino', async () => {
    const { factory, client } = world.service
    const [small, large] = [
      await factory.item(casino.id, { cashback: 100 }),
      await factory.item(casino.id, { cashback: 900 }),
    ]
    const key = createOperator(client, casino.apiKey)
    await key.put(`/${casino.id}/settings/approvals`, { limits: [{ amount_minor: 500, currency: 'EUR' }] })
    const window = await open(path(), { role: 'finance', widthPx: 390, colorScheme: 'dark' })
    const { page } = window
    await page.getByText('1 pending confirmation').waitFor()
    await expectUsable(window, 'player 390')
    expect(await page.getByRole('button', { name: 'Erase personal data' }).count()).to.equal(0)
    const give = async (itemId: string) => {
      await page.getByRole('button', { name: 'Give a prize' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Item').fill(itemId)
      await dialog.getByLabel('Reason').fill('A lost parcel')
      await dialog.getByRole('button', { name: 'Give a prize' }).click()
    }
    await give('no-such-item')
    await page.getByRole('dialog').getByText(/item/i).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await give(small)
    await page.getByText('The player has the prize').waitFor()
    await give(large)
    await page.getByRole('heading', { level: 1, name: /prize/i }).waitFor()
    const act = await world.service.database.act.findFirstOrThrow({ where: { casinoId: casino.id } })
    expect(act).to.include({ action: 'player.give-prize', state: 'pending_approval' })
    const where = { casinoId: casino.id, itemId: large }
    expect(await world.service.database.prize.count({ where })).to.equal(0)
  })

  itInLongForm(
    'has orders whose delivery details are corrected with a reason, unless another operator was quicker',
    async () => {
      const { client, database } = world.service
      const { id } = await database.prizeOrder.findFirstOrThrow({ where: { casinoId: casino.id } })
      const window = await open(`/casinos/${casino.id}/orders/${id}`, { role: 'support' })
      const { page } = window
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Reveal' }).click()
      await dialog.getByLabel('Reason').fill('The player calls')
      await dialog.getByRole('button', { name: 'Reveal' }).click()
      await page.getByText(delivery.street).waitFor()
      await page.getByRole('button', { name: 'Correct', exact: true }).click()
      expect(await dialog.getByLabel('Street').inputValue()).to.equal(delivery.street)
      await expectUsable(window, 'delivery correction')
      await dialog.getByLabel('Street').fill('1 New Street')
      await dialog.getByLabel('E-mail').fill('not an address')
      await dialog.getByLabel('Reason').fill('The player has moved')
      await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
      await dialog.getByText(/email/).first().waitFor()
      expect(await dialog.getByLabel('Street').inputValue()).to.equal('1 New Street')
      await dialog.getByLabel('E-mail').fill('')
      const hold = { hold_reason: 'customs', reason: 'in between' }
      await client.post(`/admin/casinos/${casino.id}/orders/${id}/hold`, casino.apiKey, hold)
      await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
      await dialog.getByText('The object has changed since').waitFor()
      await dialog.getByRole('button', { name: 'Show how it is now' }).click()
      await page.getByText('customs').first().waitFor()
      await page.getByRole('button', { name: 'Correct', exact: true }).click()
      for (const [label, text] of [
        ['Name', 'Ada'],
        ['Street', '1 New Street'],
        ['Postal code', '1010'],
        ['City', 'Vienna'],
        ['Country', 'Austria'],
        ['Reason', 'The player has moved'],
      ] as const) {
        await dialog.getByLabel(label, { exact: true }).fill(text)
      }
      await dialog.getByLabel('Notes').fill('Ring twice.\nThen wait.')
      await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
      const key = createOperator(client, casino.apiKey)
      const order = await key.get(`/${casino.id}/orders/${id}`)
      expect(order.text).to.contain('1 New Street').and.contain('address_corrected')
      expect(at(order, 'data.delivery.additional_notes')).to.equal('Ring twice.\nThen wait.')
    },
  )
})
