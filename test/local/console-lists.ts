import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'

/** Asks the management API for a path, with the admin key. */
export type AskManagement = (path: string) => Promise<{ status: number; data: unknown }>

/** Paths that the console reads only for a signed-in operator, or for a typed text. */
const withoutDemo: ReadonlySet<string> = new Set([
  '/admin/session',
  '/admin/session/sessions',
  '/admin/search',
])

/** The paths that the pages of the console read, as in its sources: with the names of their parameters. */
function readPathsOfConsole(): string[] {
  const folder = join(import.meta.dirname, '../../console/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const found = sources.flatMap((source) => [...source.matchAll(/api\.GET\(\s*'([^']+)'/g)])
  return [...new Set(found.map(([, path = '']) => path))].sort()
}

/**
 * Expects the demo casino to have every object that the console reads, and a row in every list. Lists that workers fill
 * may take a little longer.
 */
export async function expectLifeOnEveryPage(ask: AskManagement): Promise<void> {
  const idOf = await findIds(ask)
  const paths = readPathsOfConsole()
  expect(paths, 'the console has more pages than this').to.have.length.above(20)
  for (const path of paths.filter((path) => !withoutDemo.has(path))) {
    const asked = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idOf(name, path)))
    await eventually(`${asked} has something to show`, async () => {
      const { status, data } = await ask(asked)
      expect(status, asked).to.equal(200)
      return Array.isArray(data) ? data.length > 0 : data !== undefined
    })
  }
}

/** An object of the demo for each parameter. */
async function findIds(ask: AskManagement): Promise<(name: string, path: string) => string> {
  const demo = '/admin/casinos/demo'
  const ids = new Map([
    ['casino_id', 'demo'],
    ['player_id', 'player-2'],
    ['box_id', 'daily-box'],
    ['item_id', 'mug'],
    ['endpoint_id', 'unreachable'],
  ])
  const note = async (name: string, path: string) => {
    const id = await eventually(`${path} has something to show`, async () => {
      const { data } = await ask(path)
      return Array.isArray(data)
        ? data.map((object: unknown) => idIn(object, name)).find((id) => id !== undefined)
        : undefined
    })
    ids.set(name, id)
  }
  await note('order_id', `${demo}/orders`)
  await note('cashback_id', `${demo}/cashbacks`)
  await note('act_id', `${demo}/acts?order=asc`)
  // The operator who proposed the act has a session. The operator for the sign-in has none until someone signs in.
  const maker = await eventually('an operator has proposed an act', async () => {
    const { data } = await ask(`${demo}/acts?state=pending_approval`)
    return Array.isArray(data) ? idIn(data[0], 'made_by')?.replace(/^operator:/, '') : undefined
  })
  const { data: operators } = await ask('/admin/operators?limit=200')
  const isMaker = (operator: unknown) => idIn(operator, 'username') === maker
  ids.set('operator_id', idIn((operators as unknown[]).find(isMaker), 'operator_id') ?? '')
  await note('prize_id', `${demo}/players/player-2/prizes`)
  await note('opening_id', `${demo}/players/player-2/prizes`)
  const { data: opening } = await ask(`${demo}/openings/${ids.get('opening_id') ?? ''}`)
  const { evidence } = opening as { evidence: unknown }
  ids.set('seed_id', idIn(evidence, 'seed_id') ?? '')
  const entryOf = async (trail: string) => idIn(((await ask(trail)).data as unknown[])[0], 'id') ?? ''
  const entryIds = { ofCasino: await entryOf(`${demo}/audit`), ofService: await entryOf('/admin/audit') }
  return (name, path) => {
    if (name === 'entry_id') return path.startsWith('/admin/audit') ? entryIds.ofService : entryIds.ofCasino
    const id = ids.get(name)
    if (id === undefined) throw new Error(`name an object of the demo for {${name}} in ${path}`)
    return id
  }
}

function idIn(object: unknown, name: string): string | undefined {
  const id: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined
  return typeof id === 'string' ? id : undefined
}
