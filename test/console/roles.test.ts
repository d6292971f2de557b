import { expect } from 'chai'
import { createAdminRoutes } from '../../api/admin/routes.ts'
import { operatorRoles } from '../../core/operator/rights.ts'
import type { OperatorRole } from '../../core/operator/rights.ts'
import { placeOrders } from '../support/acts.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { createWorld, endpointUrl } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { consoleOfSuite, listPages, pathOf } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { makeOperator } from '../support/ops.ts'
import { describeInLongForm } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import { createOperator, textAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { buttonsOf } from './button-table.ts'
import type { Button } from './button-table.ts'

interface Visitor {
  role: OperatorRole
  isOfOneCasino?: true
}

const visitors: readonly Visitor[] = [
  ...operatorRoles.map((role) => ({ role })),
  { role: 'admin', isOfOneCasino: true },
]

/** The names of buttons that send no request, or only one to see more. */
const neutral = /^(Copy .*|Filter|Try again|Add an entry|\d+ new: show)$/

/** Codes of a request that the role does not allow. */
const refusals = ['right_missing', 'casino_unknown']

/** Pages of objects of one kind in different states have different buttons. */
const kindOf = (page: string) =>
  page.replace(
    /:(?:disabled|held|submitted|shipped|lost|credited)([A-Z])/,
    (_, letter: string) => `:${letter.toLowerCase()}`,
  )

const routeName = (method: string, path: string) =>
  `${method} ${path.replace('/admin/casinos/:casino_id/', '…/').replace('/admin/', '/')}`

describe('the table of the console’s buttons', () => {
  const atEnd = atEndOfSuite()

  it('has a row for each route that changes or reveals something', async () => {
    const service = await startService()
    atEnd(() => service.stop())
    const routes = createAdminRoutes(service.deps).filter((route) => route.for === 'operators')
    const changing = routes.filter(({ method, right }) => method !== 'GET' && right !== 'own')
    expect(Object.keys(buttonsOf)).to.have.members(
      changing.map(({ method, path }) => routeName(method, path)),
    )
  })
})

describeInLongForm('the actions that the console offers to a role', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let casino: TestCasino
  let acme: World
  let script: TestOperator
  const open = consoleOfSuite(
    async (started) => {
      world = started
      casino = await world.service.factory.casino()
      script = createOperator(world.service.client, casino.apiKey)
      const worked = await makeWorkedObjects()
      acme = await createWorld(world.service, casino.id, casino.apiKey)
      Object.assign(acme.ids, worked, await makeSwitchedObjects(), await findUntouchedObjects())
      await pauseWallet()
    },
    { env: { ALLOW_PRIVATE_ADDRESSES: 'true' } },
  )

  const post = async (path: string, body: object = {}) => {
    const reply = await script.post(`/${casino.id}${path}`, body)
    expect(reply.status, reply.text).to.be.oneOf([200, 201])
    return reply
  }

  /** Makes the objects that need a worker: orders in later states, a credited cashback and a failed delivery. */
  async function makeWorkedObjects(): Promise<Record<string, string>> {
    const { service } = world
    const [held = '', ...others] = await placeOrders(service, casino, 4)
    const [submitted = '', shipped = '', lost = ''] = others
    await post(`/orders/${held}/hold`, { hold_reason: 'customs' })
    for (const id of others) await post(`/orders/${id}/confirm`)
    const { playerId, prizeId } = await service.factory.prize(casino.id)
    const cashback = { player_id: playerId, prize_id: prizeId }
    await service.client.post('/prize/cashback', casino.apiKey, cashback)
    await script.put(`/${casino.id}/webhook-endpoints/failing`, { url: endpointUrl })
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    await post(`/orders/${shipped}/ship`)
    await post(`/orders/${lost}/exception`, { exception_reason: 'lost' })
    const { id } = await service.database.cashback.findFirstOrThrow({ where: { casinoId: casino.id } })
    await service.database.webhookDelivery.updateMany({ data: { state: 'failed', outboxId: null } })
    return {
      held_order_id: held,
      submitted_order_id: submitted,
      shipped_order_id: shipped,
      lost_order_id: lost,
      credited_cashback_id: id,
    }
  }

  async function makeSwitchedObjects(): Promise<Record<string, string>> {
    const { database, factory } = world.service
    const entries = [{ itemId: await factory.item(casino.id), weight: 1 }]
    const boxId = await factory.box(casino.id, { entries })
    await post(`/boxes/${boxId}/disable`)
    await script.put(`/${casino.id}/webhook-endpoints/off`, { url: endpointUrl })
    await post('/webhook-endpoints/off/disable')
    const operator = await makeOperator(world.service, { role: 'viewer' })
    const now = new Date()
    await database.operator.update({
      where: { id: operator.id },
      data: {
        disabledAt: now,
        secondFactorConfirmedAt: now,
        sealedSecret: Buffer.alloc(1),
        sealedKey: Buffer.alloc(1),
        sealedKeyId: 'nobody’s',
      },
    })
    return { disabled_box_id: boxId, disabled_endpoint_id: 'off', disabled_operator_id: operator.id }
  }

  async function findUntouchedObjects(): Promise<Record<string, string>> {
    const { database } = world.service
    const held = (await database.orderHold.findMany()).map(({ orderId }) => orderId)
    const [order, cashback, prize] = [
      await database.prizeOrder.findFirstOrThrow({
        where: { state: 'pending_confirmation', id: { notIn: held } },
      }),
      await database.cashback.findFirstOrThrow({ where: { state: 'requested' } }),
      await world.service.factory.prize(casino.id),
    ]
    return { order_id: order.id, cashback_id: cashback.id, prize_id: prize.prizeId, endpoint_id: 'failing' }
  }

  async function pauseWallet(): Promise<void> {
    const put = await script.put(`/${casino.id}/settings/wallet`, { kind: 'http', url: endpointUrl })
    expect(put.status, put.text).to.equal(200)
    const where = { casinoId_name: { casinoId: casino.id, name: 'wallet' } }
    await world.service.database.casinoSetting.update({ where, data: { pausedAt: new Date() } })
  }

  /** Some roles may not see some pages at all. */
  const visit = async ({ page }: ConsolePage, path: string) => {
    await page.goto(`${world.service.url}/ops${path}`)
    await page.locator('h1, main .failure').first().waitFor()
    const loading = page.locator('.loading, [aria-busy=true]')
    await eventually('the page is loaded', async () => (await loading.count()) === 0)
  }
  const namesIn = ({ page }: ConsolePage) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('main button, main a.button')]
         .map((button) => button.getAttribute('aria-label') ?? button.textContent)`,
    )

  /** The error code of the request, sent from the page by the same session. */
  const codeOf = ({ page }: ConsolePage, route: string, button: Button, ids: Record<string, string>) => {
    const [method = '', path = ''] = route.split(' ')
    const full = path.replace('…', '/casinos/:casino_id')
    const url = `${world.service.url}/admin${pathOf(full, { ...ids, ...button.ids })}`
    const body = button.body === undefined ? '{"bad":' : JSON.stringify(button.body)
    const headers = {
      'Content-Type': 'application/json',
      ...(button.hasReason === true ? { 'X-Reason': 'a test' } : {}),
    }
    const request = { method, headers, ...(method === 'DELETE' ? {} : { body }) }
    return page.evaluate<string | null>(
      `fetch(${JSON.stringify(url)}, ${JSON.stringify(request)}).then(({ headers }) => headers.get('X-Error-Code'))`,
    )
  }

  for (const { role, isOfOneCasino } of visitors) {
    const name = isOfOneCasino === undefined ? role : `${role} of one casino`
    it(`are the buttons whose requests are allowed to it: ${name}`, async () => {
      const window = await open('/', {
        role,
        ...(isOfOneCasino === undefined ? {} : { casinoIds: [casino.id] }),
      })
      const { prizeId } = await world.service.factory.prize(casino.id)
      const act = await post('/acts', { action: 'prize.void', object_ids: [prizeId] })
      const ids = { ...acme.ids, act_id: textAt(act, 'data.act_id') }
      const rows = Object.entries(buttonsOf).flatMap(([route, buttons]) =>
        typeof buttons === 'string' ? [] : buttons.map((button) => ({ route, button })),
      )
      const pages = new Set([...listPages(), ...rows.map(({ button }) => button.page)])
      pages.delete('/account') // of the operator's own session
      const wrong: string[] = []
      const shownOn = new Map<string, string[]>()
      const permitted: Button[] = []
      for (const path of pages) {
        await visit(window, pathOf(path, ids))
        const shown = (await namesIn(window)).filter((text) => !neutral.test(text))
        shownOn.set(path, shown)
        for (const { route, button } of rows.filter(({ button: { page } }) => page === path)) {
          const code = await codeOf(window, route, button, ids)
          expect(code, route).to.be.oneOf([...refusals, 'body_malformed', 'reason_required', null])
          if (code !== null && refusals.includes(code)) continue
          permitted.push(button)
          if (!shown.some((text) => matches(button, text)))
            wrong.push(`${path}: ${String(button.name)} is missing`)
        }
      }
      for (const [path, shown] of shownOn) {
        const possible = permitted.filter(({ page }) => kindOf(page) === kindOf(path))
        for (const text of shown)
          if (!possible.some((button) => matches(button, text)))
            wrong.push(`${path}: ${text} would be refused`)
      }
      expect(wrong).to.deep.equal([])
      if (name === 'admin') expect(permitted).to.have.lengthOf(rows.length)
    })
  }
})

function matches({ name }: Button, text: string): boolean {
  return typeof name === 'string' ? name === text : name.test(text)
}
