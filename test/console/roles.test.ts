import { expect } from 'chai'
import { operatorRoles } from '../../core/operator/rights.ts'
import type { OperatorRole } from '../../core/operator/rights.ts'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { startConsole } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { casesOf } from '../support/runs.ts'

/** A button of a page, and the request that it makes. The paths begin after the casino's. */
interface ActionOfPage {
  page: string
  button: string
  method: 'POST' | 'PUT'
  path: string
}

/** The role with buttons of its own and without many of the others. */
const shownRoles: readonly OperatorRole[] = ['finance']

describe('the actions that the console offers to a role', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let acme: World
  let actions: readonly ActionOfPage[]
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async function () {
    const started = await startConsole()
    if (started === undefined) return this.skip()
    world = started
    atEnd(() => world.stop())
    const casino = await world.service.factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
    const won = await world.service.factory.prize(casino.id, { playerId: 'roles' })
    const { ids } = acme
    const order = `/orders/${ids['order_id'] ?? ''}`
    const cashback = `/cashbacks/${ids['cashback_id'] ?? ''}`
    const prize = `/prizes/${won.prizeId}`
    const player = '/players/roles'
    const box = `/boxes/${ids['box_id'] ?? ''}`
    const endpoint = `/webhook-endpoints/${ids['endpoint_id'] ?? ''}`
    const webhook = `/webhooks/${ids['endpoint_id'] ?? ''}`
    actions = [
      ...['Confirm', 'Reject', 'Cancel', 'Hold'].map((button) => ({
        page: order,
        button,
        method: 'POST' as const,
        path: `${order}/${button.toLowerCase()}`,
      })),
      { page: order, button: 'Reveal', method: 'POST', path: `${order}/reveal` },
      { page: order, button: 'Correct', method: 'PUT', path: `${order}/delivery` },
      { page: cashback, button: 'Resolve', method: 'POST', path: `${cashback}/resolve` },
      { page: prize, button: 'Void', method: 'POST', path: `${prize}/void` },
      { page: prize, button: 'Add note', method: 'POST', path: `${prize}/notes` },
      { page: player, button: 'Give a prize', method: 'POST', path: '/prizes' },
      { page: player, button: 'Export everything', method: 'POST', path: `${player}/export` },
      { page: player, button: 'Erase personal data', method: 'POST', path: `${player}/erase` },
      { page: box, button: 'Disable', method: 'POST', path: `${box}/disable` },
      { page: webhook, button: 'Send a test event', method: 'POST', path: `${endpoint}/test` },
      { page: '/items', button: 'Create an item', method: 'PUT', path: '/items/new' },
      { page: '/grants', button: 'Grant openings', method: 'POST', path: '/grants' },
      { page: '/keys', button: 'Create a key', method: 'POST', path: '/api-keys' },
    ]
  })

  /** The error code that the request is refused with, sent from the page by the same session and with nothing in it. */
  const refusalOf = ({ page }: ConsolePage, { method, path }: ActionOfPage) => {
    const url = `${world.service.url}/admin/casinos/${encodeURIComponent(acme.casinoId)}${path}`
    const request = { method, headers: { 'Content-Type': 'application/json' }, body: '{"bad":' }
    return page.evaluate<string | null>(
      `fetch(${JSON.stringify(url)}, ${JSON.stringify(request)}).then(({ headers }) => headers.get('X-Error-Code'))`,
    )
  }

  for (const role of casesOf(
    shownRoles,
    operatorRoles.filter((role) => !shownRoles.includes(role)),
  )) {
    it(`are the buttons whose requests are allowed to it: ${role}`, async () => {
      const window = await world.open('/', { role })
      atTestEnd(() => window.close())
      const seen: string[] = []
      const allowed: string[] = []
      for (const path of new Set(actions.map(({ page }) => page))) {
        await window.goTo(`/casinos/${acme.casinoId}${path}`)
        await window.page
          .getByText(/^Loading/)
          .first()
          .waitFor({ state: 'hidden' })
        for (const action of actions.filter(({ page }) => page === path)) {
          const name = `${path}: ${action.button}`
          const button = window.page.getByRole('button', { name: action.button, exact: true })
          const code = await refusalOf(window, action)
          expect(code, name).to.be.oneOf(['right_missing', 'body_malformed', 'reason_required'])
          if (code !== 'right_missing') {
            allowed.push(name)
            await button.waitFor()
          }
          if ((await button.count()) > 0) seen.push(name)
        }
      }
      expect(seen).to.deep.equal(allowed)
      if (role === 'admin') expect(seen).to.have.lengthOf(actions.length)
    })
  }
})
