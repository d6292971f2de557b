import { expect } from 'chai'
import { createOperator } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { inParallel } from '../support/in-parallel.ts'
import { itInLongForm } from '../support/runs.ts'

const spins = '20 <spins> \u202e'

describe('the boxes of a casino in the console', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let casino: TestCasino
  let script: TestOperator
  const open = consoleOfSuite((started) => {
    world = started
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

  itInLongForm('show their odds beside the drawn shares, and the changes of each version', async () => {
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
    await expectUsable(window, 'boxes')
    await page.getByRole('link', { name: 'Daily <b>' }).click()
    await page.getByText('40 openings are counted').waitFor()
    const drawn = await world.service.database.opening.count({ where: { casinoId: casino.id, position: 1 } })
    const row = page.getByRole('row', { name: 'Mug' })
    expect((await row.getByRole('cell').allInnerTexts()).slice(1, 3)).to.deep.equal(['40 %', String(drawn)])
    await page.getByText('€2.00').first().waitFor()
    await page.getByText('1 of 4 (25 %), stock 30').waitFor()
    await page.getByText('2 of 5 (40 %), stock 30').waitFor()
    await expectUsable(window, 'box')

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

  it('are edited with a check, a simulation and a reason, and keep everything that was typed', async () => {
    const window = await open(`/casinos/${casino.id}/boxes`, { role: 'admin' })
    const { page } = window
    await page.getByRole('link', { name: 'Create a box' }).click()
    const entry = (number: number) => page.getByRole('group', { name: `Entry ${String(number)} ` })
    const check = () => page.getByRole('button', { name: 'Check', exact: true }).click()
    const publishFor = async (reason: string) => {
      await page.getByRole('button', { name: 'Publish…' }).click()
      await page.getByRole('dialog').getByLabel('Reason').fill(reason)
      await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    }
    await page.getByLabel('Id', { exact: true }).fill('night <b>')
    await page.getByLabel('Name', { exact: true }).fill('Night \u202e')
    await entry(1).getByLabel('Item').fill('mug')
    await entry(1).getByLabel('Weight').fill('one')
    await page.getByRole('button', { name: 'Add an entry' }).click()
    await page.getByRole('button', { name: 'Add an entry' }).click()
    await entry(2).getByLabel('Item').fill('nothing of this name')
    await entry(3).getByLabel('Item').fill(spins)
    await entry(3).getByLabel('Weight').fill('3')
    await page.getByRole('button', { name: 'Remove entry 2' }).click()
    await entry(2).getByText('100 %').waitFor()
    expect(await entry(2).getByLabel('Item').inputValue()).to.equal(spins)
    await check()
    await page.getByText('Write a number, such as 60.').waitFor()
    await entry(1).getByLabel('Weight').fill('1')
    await entry(1).getByText('25 %').waitFor()
    await entry(1).getByLabel('Stock').fill('4')
    await page.getByLabel('Fallback').fill('nowhere')
    await page.getByLabel('Open until').fill('soon')
    await check()
    await page.getByText('active_until must be').waitFor()
    await page.getByLabel('Open until').fill('')
    await check()
    await page.getByText('fallback_item_id must be an item of the casino').waitFor()
    await expectUsable(window, 'box editor with problems')
    await page.getByLabel('Fallback').fill('')
    await check()
    await page.getByText('the box closes as soon as one entry is out of stock').waitFor()
    await page.getByText('€1.25').waitFor()
    await page.getByRole('button', { name: 'Simulate 100,000 draws' }).click()
    await page.getByText('100,000 of 100,000 draws are done.').waitFor()
    const simulated = page.getByRole('table', { name: 'Simulated draws' }).getByRole('row')
    expect(await simulated.nth(1).getByRole('cell').nth(2).innerText()).to.equal('25,000')
    await expectUsable(window, 'box editor')
    await publishFor('A new box')
    await page.getByRole('link', { name: 'Go to the box' }).click()
    await page.getByText('players with a grant').waitFor()

    const path = `/${casino.id}/boxes/${encodeURIComponent('night <b>')}`
    await page.getByRole('link', { name: 'Edit' }).click()
    await entry(1).getByLabel('Weight').fill('2')
    await check()
    await page.getByText('2 of 5 (40 %), stock 4').waitFor()
    const entries = [{ item_id: 'mug', weight: 9 }]
    await put(path.slice(casino.id.length + 2), { name: 'Meanwhile', access: 'granted', entries })
    await publishFor('More mugs')
    await page.getByRole('dialog').getByText('but the box is at version 2').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await entry(1).getByLabel('Weight').inputValue()).to.equal('2')
    await check()
    await page.getByText('Somebody has published version 2 since you began.').waitFor()
    await page.getByText('Meanwhile').waitFor()
    await expectUsable(window, 'box editor after a change')
    await publishFor('More mugs')
    await page.getByRole('heading', { name: 'Version 3 is published' }).waitFor()
    const now = (await script.get(path)).json
    expect(now).to.have.nested.property('data.version', 3)
    expect(now).to.have.nested.property('data.name', 'Night \u202e')
    expect(now).to.have.nested.property('data.entries[0].weight', 2)
    const log = await script.get(`/${casino.id}/audit`)
    expect(log.text).to.contain('More mugs')
    expect(window.complaints.filter((text) => !/status of (400|404|409)/.test(text))).to.deep.equal([])
  })

  itInLongForm('offer viewers only actions that are allowed', async () => {
    await publish(1)
    const window = await open(`/casinos/${casino.id}/boxes/daily`, { role: 'viewer', colorScheme: 'dark' })
    await window.page.getByText('This is the first version.').waitFor()
    expect(await window.page.locator('main button:not(.quiet)').allTextContents()).to.deep.equal([])
    expect(await window.findBarriers()).to.deep.equal([])
    await window.goTo(`/casinos/${casino.id}/boxes/daily/edit`)
    await window.page.getByText('Only admins can publish boxes.').waitFor()
    expect(window.complaints).to.deep.equal([])
  })
})
