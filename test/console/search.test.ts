import { expect } from 'chai'
import { newId } from '../../core/platform/ids.ts'
import { foundTypes } from '../../core/search/found-object.ts'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { consoleOfSuite } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { describeInLongForm } from '../support/runs.ts'

/** The search for an object, and what the page shows that its result leads to. */
interface Sought {
  id: string
  heading: string | RegExp
  /** Without it the object’s id. */
  shown?: string
}

describeInLongForm('the results of a search in the console', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let acme: World
  const open = consoleOfSuite(async (started) => {
    world = started
    const { factory } = world.service
    const casino = await factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
  })

  async function findSought(): Promise<Record<(typeof foundTypes)[number], Sought>> {
    const { database, client } = world.service
    const { casinoId, apiKey, ids } = acme
    const id = (name: string) => ids[name] ?? ''
    const where = { where: { casinoId } }
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-Request-Id': 'sought-request' }
    await client.send('GET', `/admin/casinos/${casinoId}/items`, { headers })
    const [opening, seed, grant, casino, box, item] = [
      await database.opening.findFirstOrThrow(where),
      await database.serverSeed.findFirstOrThrow({ where: { casinoId, state: 'active' } }),
      await database.grant.findFirstOrThrow(where),
      await database.casino.findUniqueOrThrow({ where: { id: casinoId } }),
      await database.boxVersion.findFirstOrThrow(where),
      await database.item.findFirstOrThrow({ where: { casinoId, id: id('item_id') } }),
    ]
    const event = await database.event.findFirstOrThrow({
      where: { casinoId, objectType: 'prize_order', type: 'prize_order.placed' },
    })
    const processId = newId('prc')
    const now = new Date()
    const times = { minute: now, startedAt: now, seenAt: now }
    const process = { kind: 'worker', host: 'sought-host', version: '1', stopped: false, counts: {} }
    await database.processMinute.create({ data: { processId, ...process, ...times } })
    const operator = await database.operator.findUniqueOrThrow({ where: { id: id('operator_id') } })
    return {
      prize: { id: id('prize_id'), heading: /Mug/ },
      order: { id: id('order_id'), heading: /Mug/ },
      cashback: { id: id('cashback_id'), heading: /cashback/i },
      player: { id: id('player_id'), heading: id('player_id') },
      box: { id: id('box_id'), heading: box.name },
      item: { id: id('item_id'), heading: item.name },
      opening: { id: opening.id, heading: item.name },
      seed: { id: seed.id, heading: seed.id },
      event: { id: `evt_${event.id}`, heading: /Mug/, shown: 'placed' },
      grant: { id: grant.id, heading: 'Grants' },
      endpoint: { id: id('endpoint_id'), heading: id('endpoint_id') },
      api_key: { id: id('key_id'), heading: 'API keys' },
      casino: { id: casinoId, heading: casino.name },
      act: { id: id('act_id'), heading: /prize/i },
      operator: { id: operator.id, heading: operator.name },
      request: { id: 'sought-request', heading: 'GET /admin/casinos/:casino_id/items' },
      // Below the work list, with its kind and host.
      process: { id: processId, heading: 'Work list', shown: 'sought-host' },
    }
  }

  it('lead, for every type of object, to a page that exists and shows the object', async () => {
    const sought = await findSought()
    expect(Object.keys(sought)).to.have.members([...foundTypes])
    const { page, complaints, goTo } = await open('/', { role: 'admin' })
    for (const [type, { id, heading, shown = id }] of Object.entries(sought)) {
      await goTo(`/search?q=${encodeURIComponent(id)}`)
      const row = page.locator('tbody tr', {
        has: page.locator('td[data-name="What it is"]', {
          hasText: new RegExp(`^${type.replace('_', ' ')}$`, 'i'),
        }),
      })
      await row.getByRole('link', { name: id, exact: true }).first().click()
      await page.getByRole('table', { name: 'What was found' }).waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.locator('main').getByText(shown).first().waitFor()
      expect(new URL(page.url()).pathname, type).not.to.contain('/search')
      expect(await page.locator('main .failure').count(), type).to.equal(0)
    }
    expect(complaints).to.deep.equal([])
  })
})
