import { expect } from 'chai'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { consoleOfSuite, listPages, pathOf } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { openPlans } from '../support/read-plans.ts'
import { describeInLongForm } from '../support/runs.ts'

/** The session, the first casinos, and what the page is about. */
const requestsMax = 8
/** A page of the list, and the row that shows whether there are more. */
const rowsReadMax = 60

describeInLongForm('the first paint of a page of the console with very many prizes and casinos', function () {
  this.timeout(240_000)
  let world: ConsoleWorld
  let acme: World
  const open = consoleOfSuite(async (started) => {
    world = started
    const { database, factory } = world.service
    const casino = await factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
    await database.$executeRaw`
      INSERT INTO casino (id, name, created_at, updated_at)
      SELECT 'more-' || n, 'Casino ' || n, now(), now() FROM generate_series(1, 1000) AS n`
    await database.$executeRaw`
      INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, created_at, updated_at)
      SELECT ${casino.id}::text, 'many-' || n, CASE WHEN n % 2 = 0 THEN ${acme.ids['player_id'] ?? ''}::text ELSE 'p' || n END,
             ${acme.ids['item_id'] ?? ''}::text, 'Mug', 'physical', 'won', now() - n * interval '1 second', now()
        FROM generate_series(1, 200000) AS n`
  })

  /** The requests to the management API until the page is there, but for one that is never answered: the list of casinos. */
  const requestsOf = async (page: string): Promise<string[]> => {
    const window = await open('/account')
    // Its own casinos are loaded.
    await window.page.locator('.casino select').waitFor()
    await window.page.route(/\/admin\/casinos\?/, () => undefined)
    const before = window.requests.length
    await window.goTo(pathOf(page, acme.ids))
    expect(await window.page.locator('.failure').allTextContents(), page).to.deep.equal([])
    const { origin } = new URL(world.service.url)
    const paths = window.requests.slice(before).map((url) => url.replace(origin, ''))
    await window.page.unrouteAll({ behavior: 'ignoreErrors' })
    return paths.filter((path) => path.startsWith('/admin/'))
  }

  for (const page of listPages().filter((each) => each !== '/casinos')) {
    it(`takes few requests, and does not wait for the casinos: ${page}`, async () => {
      const requests = await requestsOf(page)
      expect(requests).to.include('/admin/session')
      expect(requests.length, requests.join('\n')).to.be.at.most(requestsMax)
      expect(requests.filter((path) => path.startsWith('/admin/casinos?'))).to.have.length(1)
    })
  }

  it('reads few rows of the many prizes of a player, by an index', async () => {
    const requests = await requestsOf('/casinos/:casinoId/players/:playerId')
    const lists = requests.filter((path) => path.includes('/prizes?'))
    expect(lists, requests.join('\n')).to.have.length(1)
    const plans = await openPlans(world.service)
    try {
      for (const path of lists) await plans.expectFewRowsRead(path, rowsReadMax)
    } finally {
      await plans.close()
    }
  })
})
