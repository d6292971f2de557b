import { expect } from 'chai'
import { prizeTransitions } from '../../core/prize/state.ts'
import { createOperator, textAt } from '../api/admin/operator.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { delivery } from '../support/factory.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import { itInLongForm } from '../support/runs.ts'

const traced = { env: { TRACE_URL: 'https://jaeger.example/trace/{trace_id}' } }

describe('the timeline of a prize in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  const atTestEnd = atEndOfTest()
  const open = consoleOfSuite((started) => {
    world = started
    world.service.startWorker()
  }, traced)

  itInLongForm('links a change to its trace', async () => {
    const { factory, database } = world.service
    const casino = await factory.casino()
    const { prizeId } = await factory.prize(casino.id)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const object = { casinoId: casino.id, objectType: 'prize', objectId: prizeId }
    const change = {
      sequence: 2,
      type: 'prize.expiring',
      toState: 'won',
      actor: 'worker',
      createdAt: new Date(),
    }
    await database.event.create({ data: { ...object, ...change, traceId } })
    const { page, complaints } = await open(`/casinos/${casino.id}/prizes/${prizeId}`, { role: 'viewer' })
    const link = page.locator('.timeline').getByRole('link', { name: traceId })
    await link.waitFor()
    expect(await link.getAttribute('href')).to.equal(`https://jaeger.example/trace/${traceId}`)
    expect(
      await page.locator('.timeline').getByText('Trace').count(),
      'none for an untraced change',
    ).to.equal(1)
    expect(complaints).to.deep.equal([])
  })

  it('shows the history and the state of the prize, and accepts notes of any text, once', async () => {
    const { service } = world
    const casino = await service.factory.casino()
    const receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
    receiver.treat(() => 500)
    const operator = createOperator(service.client, casino.apiKey)
    await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: receiver.url })
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const orderId = textAt(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.orders.0.order_id')
    await operator.post(`/${casino.id}/orders/${orderId}/deliver`, { reason: 'Says the player' })
    await eventually('an attempt fails', () => receiver.received.length > 0)

    const window = await open(`/casinos/${casino.id}/prizes/${prizeId}`, { role: 'support' })
    const { page, complaints } = window
    const timeline = page.locator('.timeline')
    await timeline.getByText('prize: ordered').first().waitFor()
    // The diagram has the states of the service's own table, with the present one marked.
    expect((await page.locator('.states g').allTextContents()).sort()).to.deep.equal(
      Object.keys(prizeTransitions)
        .map((state) => state.replace('_', ' '))
        .sort(),
    )
    expect(await page.locator('.states g.now').textContent()).to.equal('ordered')
    await page.getByText('It may become won, fulfilled or voided.').waitFor()
    await timeline.getByText('409 transition illegal').waitFor()
    await timeline.getByText('Says the player').waitFor()
    await eventually('the delivery is shown', async () => {
      await page.reload()
      await timeline.getByText('prize: ordered').first().waitFor()
      return (await timeline.getByText('answered 500').count()) > 0
    })

    const long = `\u202e<script>alert(1)</script>${'x'.repeat(2_000)}`
    await page.getByRole('textbox', { name: 'Note' }).fill('   ')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('text is required').waitFor()
    await page.getByRole('textbox', { name: 'Note' }).fill('The player called:\nthe mug never came.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await timeline.getByText('the mug never came.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).to.equal('')
    await page.getByRole('textbox', { name: 'Note' }).fill(long)
    await page.getByRole('button', { name: 'Add note' }).click()
    await eventually('the other one is shown', async () =>
      (await timeline.locator('p.note').allTextContents()).includes(long),
    )
    expect(await service.database.prizeNote.count({ where: { prizeId } })).to.equal(2)
    await expectUsable(window, 'prize with a timeline')

    await page.getByLabel('Show', { exact: false }).selectOption('note')
    await timeline.getByText('prize: ordered').first().waitFor({ state: 'hidden' })
    expect(await timeline.locator('li').count()).to.equal(2)
    expect(page.url()).to.match(/[?]kind=note$/)
    await page.reload()
    await timeline.locator('p.note').first().waitFor()
    expect(await timeline.locator('li').count()).to.equal(2)

    await operator.post(`/${casino.id}/orders/${orderId}/cancel`)
    await operator.post(`/${casino.id}/players/${playerId}/erase`)
    await page.reload()
    await timeline.getByText('The note was erased with the player.').first().waitFor()
    expect(await page.getByText('the mug never came.').count()).to.equal(0)
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).to.deep.equal([])
  })

  itInLongForm(
    'offers viewers no note, and says when a history is too long to be shown completely',
    async () => {
      const { service } = world
      const casino = await service.factory.casino()
      const { prizeId } = await service.factory.prize(casino.id, { state: 'voided' })
      await service.database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
      SELECT ${casino.id}::text, 'prize', ${prizeId}::text, n, 'prize.expiring', 'won', 'test', now()
        FROM generate_series(1001, 1501) AS n`
      const { page, complaints } = await open(`/casinos/${casino.id}/prizes/${prizeId}`, { role: 'viewer' })
      await page.getByText('There are older ones.').waitFor()
      await page.getByText('It is voided, which is its end.').waitFor()
      expect(await page.getByRole('textbox', { name: 'Note' }).count()).to.equal(0)
      expect(complaints).to.deep.equal([])
    },
  )
})
