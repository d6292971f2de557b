import { expect } from 'chai'
import { createOperator } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { keepPicture, startConsole } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { inParallel } from '../support/in-parallel.ts'

const spins = '20 <spins> \u202e'

describe('the boxes of a casino in the console', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let casino: TestCasino
  let script: TestOperator
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async function () {
    const started = await startConsole()
    if (started === undefined) return this.skip()
    world = started
    atEnd(() => world.stop())
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
    script = createOperator(world.service.client, casino.apiKey)
    const cashback = { amount_minor: 500, currency: 'EUR' }
    await put('items/mug', { name: 'Mug', kind: 'physical', cashback })
    await put(`items/${encodeURIComponent(spins)}`, { name: '20 spins', kind: 'bonus' })
  })

  const put = async (path: string, body: object) => {
    const reply = await script.put(`/${casino.id}/${path}`, body)
    expect(reply.status, reply.text).to.be.below(300)
  }
  const publish = (weight: number, name = 'Daily <b>') =>
    put('boxes/daily', {
      name,
      access: 'limited',
      limit: { count: 1_000, period: 'day' },
      entries: [
        { item_id: 'mug', weight, stock: 30 },
        { item_id: spins, weight: 3 },
      ],
      fallback_item_id: spins,
    })
  const open = async (...wish: Parameters<ConsoleWorld['open']>) => {
    const page = await world.open(...wish)
    atTestEnd(() => page.close())
    return page
  }
  /** Nothing keeps anybody from using it, on a wide window and on a phone. */
  const expectGood = async (window: ConsolePage, name: string) => {
    const { page } = window
    await keepPicture(window, name)
    expect(await window.findBarriers(), name).to.deep.equal([])
    await page.setViewportSize({ width: 390, height: 900 })
    await keepPicture(window, `${name} on a phone`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(390)
    expect(await window.findBarriers(), `${name} on a phone`).to.deep.equal([])
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  it('show their odds beside what was drawn, and what their versions changed', async () => {
    await publish(1)
    await publish(2)
    await inParallel(8, Array.from({ length: 40 }), async () => {
      const body = { player_id: 'ann', box_id: 'daily' }
      const reply = await world.service.client.post('/box/open', casino.apiKey, body)
      expect(reply.status, reply.text).to.equal(200)
    })
    const window = await open(`/casinos/${casino.id}/boxes`, { role: 'admin' })
    const { page } = window
    await page.getByRole('link', { name: 'Daily <b>' }).waitFor()
    await expectGood(window, 'boxes')
    await page.getByRole('link', { name: 'Daily <b>' }).click()
    await page.getByText('40 openings are counted').waitFor()
    const drawn = await world.service.database.opening.count({ where: { casinoId: casino.id, position: 1 } })
    const row = page.getByRole('row', { name: 'Mug' })
    expect((await row.getByRole('cell').allInnerTexts()).slice(1, 3)).to.deep.equal(['40 %', String(drawn)])
    await page.getByText('€2.00').waitFor()
    await page.getByText('1 of 4 (25 %), stock 30').waitFor()
    await page.getByText('2 of 5 (40 %), stock 30').waitFor()
    await expectGood(window, 'box')

    await publish(5, 'Weekly')
    await page.reload()
    await page.getByText('No opening of this version is counted yet.').waitFor()
    await page.getByRole('link', { name: 'with version 1' }).click()
    await page.getByRole('heading', { name: 'What version 3 changed against version 1' }).waitFor()
    await page.getByRole('link', { name: '2', exact: true }).click()
    await page.getByText('40 openings are counted').waitFor()
    await page.getByRole('link', { name: 'Go to the current version' }).click()
    await page.getByRole('heading', { name: 'Weekly' }).waitFor()

    await page.getByRole('button', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Stock-taking')
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect((await script.get(`/${casino.id}/boxes/daily`)).json).to.have.nested.property(
      'data.enabled',
      false,
    )
    expect(window.complaints).to.deep.equal([])
  })

  it('offer viewers nothing that would be refused', async () => {
    await publish(1)
    const window = await open(`/casinos/${casino.id}/boxes/daily`, { role: 'viewer', colorScheme: 'dark' })
    await window.page.getByText('This is the first version.').waitFor()
    expect(await window.page.locator('main button:not(.quiet)').allTextContents()).to.deep.equal([])
    expect(await window.findBarriers()).to.deep.equal([])
  })
})
