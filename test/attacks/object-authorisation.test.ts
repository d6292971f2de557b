import { expect } from 'chai'
import { errorResponse } from '../../api/error-response.ts'
import { createRoutes } from '../../api/routes.ts'
import type { Route } from '../../api/route.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { textAt } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { auditTables, createLiveAndTestWorld, endpointUrl, secretsOf } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { differences, dumpDatabase, dumpSettled } from '../support/database-dump.ts'
import { inParallel } from '../support/in-parallel.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { actedOn, createAims, createKeys, refusalOf, rowNameOf, rowOf } from './access.ts'
import type { Aim, Key } from './access.ts'
import { isLongForm } from '../support/runs.ts'
import { routeRows } from './route-table.ts'

interface Cell {
  key: Key
  route: Route
  aim: Aim
  /** Undefined if the key reaches the object. */
  refusal: ErrorCode | undefined
  /** The casino whose objects it reaches. */
  actsOn: string | undefined
}

/** Refusals for the state of an object, which only a caller with access to it gets. */
const saidByState: readonly string[] = [
  'transition_illegal',
  'box_closed',
  'box_sold_out',
  'opening_not_entitled',
  'prize_not_orderable',
  'prize_not_cashable',
  'webhook_endpoint_limit',
  // Of the casino's own acts: another one starts them, and people alone approve them.
  'act_not_yours',
  'session_required',
]
/** The answers of the service's routes for an id that is a casino's, or unknown. */
const saidOfService: readonly string[] = ['operator_unknown', 'session_unknown', 'audit_entry_unknown']
/** The tables in which a live casino writes for its sandbox by design: its publications, and the sandbox's keys. */
const mirroredTables = ['item', 'box', 'box_version', 'box_entry', 'box_stock', 'api_key']
function groupBy<Value>(values: readonly Value[], nameOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const name = nameOf(value)
    groups.set(name, [...(groups.get(name) ?? []), value])
  }
  return groups
}

describe('access to objects of casinos', function () {
  this.timeout(180_000)
  let service: TestService
  let routes: readonly Route[]
  let worlds: World[]
  let cells: Cell[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { RATE_LIMITS: 'management=none' } })
    atEnd(() => service.stop())
    routes = createRoutes(service.deps, () => false)
    worlds = [...(await createLiveAndTestWorld(service)), ...(await createLiveAndTestWorld(service))]
    cells = await createCells()
  })

  it('is declared for every route', () => {
    expect(Object.keys(routeRows)).to.have.members(routes.map(rowNameOf))
  })

  it('answers a refused call with its code, and the call changes nothing but the audit trail', async () => {
    for (const [name, refused] of groupBy(
      cells.filter(({ refusal }) => refusal !== undefined),
      ({ key }) => key.name,
    )) {
      const before = await dumpSettled(service, auditTables)
      const wrong: string[] = []
      await inParallel(16, refused, async (cell) => {
        const { status, headers, text } = await call(cell)
        const code = headers.get('X-Error-Code')
        if (code !== cell.refusal || status !== statusOf(cell)) {
          wrong.push(
            `${nameOf(cell)}: ${String(cell.refusal)} ${statusOf(cell)} expected, ${status} ${text.slice(0, 200)}`,
          )
        }
        const named = [...Object.values(cell.aim.world.ids), cell.aim.casinoId]
        for (const secret of secrets.get(cell.aim.owner) ?? []) {
          if (text.includes(secret) && !named.includes(secret)) wrong.push(`${nameOf(cell)} tells ${secret}`)
        }
      })
      expect(wrong.join('\n'), name).to.equal('')
      expect(differences(before, await dumpDatabase(service, auditTables)), name).to.deep.equal([])
    }
  })

  it('answers a permitted call, which neither changes nor shows anything of another casino', async () => {
    let reached = 0
    for (const [name, group] of groupBy(
      cells.filter(({ refusal }) => refusal === undefined),
      ({ key, actsOn }) => `${key.name} on ${String(actsOn)}`,
    )) {
      const actsOn = group[0]?.actsOn
      const bystanders = worlds.filter(({ casinoId }) => casinoId !== actsOn)
      const before = await dumpOf(bystanders, actsOn)
      const own = worlds.find(({ casinoId }) => casinoId === actsOn)
      const ownSecrets = own === undefined ? [] : await secretsOf(service, own)
      const others = new Map<World, string[]>()
      for (const world of bystanders) {
        const theirs = await secretsOf(service, world)
        others.set(
          world,
          theirs.filter((secret) => !ownSecrets.includes(secret)),
        )
      }
      for (const cell of group) {
        const { status, headers, text } = await call(await renewed(cell))
        const code = headers.get('X-Error-Code')
        const isAnswered = status === 200 || status === 201 || (status === 302 && cell.route.path === '/')
        const said = cell.route.path.includes(':casino_id') ? saidByState : [...saidByState, ...saidOfService]
        const isReached = isAnswered || (code !== null && said.includes(code))
        expect(isReached, `${nameOf(cell)}: ${status} ${text.slice(0, 300)}`).to.equal(true)
        if (cell.route.for !== 'anybody' && cell.key.kind === 'casino') expectNothingOf(others, cell, text)
        reached++
      }
      expect(await dumpOf(bystanders, actsOn), name).to.deep.equal(before)
    }
    expect(reached).to.be.greaterThan(300)
  })

  const secrets = new Map<string, string[]>()

  /** Ids from the request may come back, because some answers list them. */
  function expectNothingOf(others: ReadonlyMap<World, string[]>, cell: Cell, text: string): void {
    for (const [world, secrets] of others) {
      const isOwnSandbox = world.casinoId === `${String(cell.actsOn)}:test`
      if (isOwnSandbox && cell.route.path.includes('/api-keys')) continue
      const ids = worlds.flatMap((one) => Object.values(one.ids))
      const told = secrets.filter((secret) => !ids.includes(secret) && text.includes(secret))
      expect(told, `${nameOf(cell)}: ${text.slice(0, 300)}`).to.deep.equal([])
    }
  }

  async function dumpOf(bystanders: readonly World[], actsOn: string | undefined) {
    const dump = await dumpSettled(service, auditTables)
    return bystanders.map(({ casinoId }) =>
      [...dump]
        .filter(([table]) => casinoId !== `${String(actsOn)}:test` || !mirroredTables.includes(table))
        .flatMap(([table, rows]) =>
          rows.filter((row) => row.includes(`"casino_id": "${casinoId}"`)).map((row) => `${table} ${row}`),
        ),
    )
  }

  /** Every key on every route: for every aim in the long form, and otherwise for every fifth. */
  async function createCells(): Promise<Cell[]> {
    for (const world of worlds) secrets.set(world.casinoId, await secretsOf(service, world))
    const keys = await createKeys(service, worlds)
    const aims = createAims(worlds)
    return keys.flatMap((key, nthKey) =>
      routes.flatMap((route, nthRoute) =>
        // An invalid key, and a route without objects of a casino, get the same answer for every aim.
        aims
          .slice(0, route.for === 'anybody' ? 1 : key.kind === 'nobody' ? 3 : aims.length)
          .map((aim): Cell => {
            const actsOn = actedOn(worlds, key, route, aim)
            return { key, route, aim, actsOn, refusal: refusalOf(key, route, aim, actsOn) }
          })
          .filter((_, nthAim) => isLongForm || (nthKey + nthRoute + nthAim) % 5 === 0),
      ),
    )
  }

  let made = 0

  /** The cell with a new object of the same owner, if the request would use up the old one. */
  async function renewed(cell: Cell): Promise<Cell> {
    const { fresh } = rowOf(cell.route)
    const id = fresh === undefined ? undefined : await make(fresh, cell.aim.owner)
    const isNewCasino = cell.actsOn === undefined && cell.aim.casinoId === 'unknown'
    return {
      ...cell,
      aim: {
        ...cell.aim,
        ...(isNewCasino ? { casinoId: `new-${made++}` } : {}),
        world: {
          ...cell.aim.world,
          ids: { ...cell.aim.world.ids, ...(fresh === undefined || id === undefined ? {} : { [fresh]: id }) },
        },
      },
    }
  }

  async function make(what: 'key_id' | 'endpoint_id', casinoId: string): Promise<string> {
    const as = { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' }
    if (what === 'key_id') {
      const reply = await service.client.send('POST', `/admin/casinos/${casinoId}/api-keys`, {
        headers: as,
        body: '{}',
      })
      return textAt(reply, 'data.key_id')
    }
    const id = `made-${made++}`
    const body = JSON.stringify({ url: endpointUrl })
    await service.client.send('PUT', `/admin/casinos/${casinoId}/webhook-endpoints/${id}`, {
      headers: as,
      body,
    })
    return id
  }

  function call({ key, route, aim }: Cell) {
    const ids: Record<string, string> = { ...aim.world.ids, casino_id: aim.casinoId }
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
    const { body: bodyOf, query } = rowOf(route)
    const body = bodyOf?.(aim.world)
    const search = query === undefined ? '' : `?${new URLSearchParams(query(aim.world)).toString()}`
    return service.client.send(route.method, path + search, {
      headers: {
        ...(key.text === undefined ? {} : { Authorization: `Bearer ${key.text}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  function statusOf({ route, refusal }: Cell): number {
    if (refusal === undefined) return 200
    return errorResponse(refusal, route.for === 'casinos' ? route.errors : 'general').status
  }

  const nameOf = ({ key, route, aim }: Cell) => `${key.name}: ${rowNameOf(route)}, ${aim.name}`
})
