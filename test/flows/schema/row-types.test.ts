import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { createRoutes } from '../../../api/routes.ts'
import { PrismaClient } from '../../../prisma/generated/client.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { createLoops } from '../../../worker/loops.ts'
import { startLines } from '../../../worker/workers.ts'
import { routeRows } from '../../attacks/route-table.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createLiveAndTestWorld } from '../../support/casino-world.ts'
import { createChores } from '../../support/chores.ts'
import { adminApiKey } from '../../support/config.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { describeStatement, findDifferences, findTypedCalls } from '../../support/row-types.ts'
import type { TypedCall } from '../../support/row-types.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { assembledLinesMax } from '../../support/statements.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** What is known of a call of `$queryRaw`, by the place in the sources from which it came. */
interface Recorded {
  file: string
  line: number
  texts: Set<string>
  nulls: Set<string>
}

/** The walk below reaches a few of the calls by chance: the share is a bound, not a count. */
const coveredMin = 0.75

/** Where a row may be the empty side of a join, and another column says so: all of its columns are null then. */
const emptySides = [
  'core/box/load-openers.ts', // no stored answer
  'core/event/read-events.ts', // an event of another kind, and the end of a scan
  'core/prize/load-prizes.ts', // no stored answer
  'core/webhook/fan-out.ts', // an endpoint without a new delivery
  'core/webhook/load-deliveries.ts', // the delivery is gone
  'core/webhook/replay.ts', // no such endpoint
]

describeInLongForm('the row types of raw statements', function () {
  this.timeout(180_000)
  const recorded = new Map<string, Recorded>()
  let calls: TypedCall[]
  let service: TestService
  let now = new Date()
  const atEnd = atEndOfSuite()

  before(async () => {
    calls = findTypedCalls(['core', 'api', 'worker', 'tools'])
    atEnd(recordStatements(recorded))
    const clock = { now: () => now }
    service = await startService({ clock })
    atEnd(() => service.stop())
    await walk(service, clock, (ms) => {
      now = new Date(now.getTime() + ms)
    })
  })

  it('have only properties that are columns of the statement, with their types', async () => {
    const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    try {
      const differences: string[] = []
      for (const { call, texts, nulls } of covered()) {
        for (const text of texts) {
          const columns = await describeStatement(client, text)
          const found = findDifferences(call.row, columns, emptySides.includes(call.file) ? new Set() : nulls)
          differences.push(...found.map((difference) => `${call.file}:${call.firstLine} ${difference}`))
        }
      }
      expect([...new Set(differences)]).to.deep.equal([])
    } finally {
      await client.end()
    }
  })

  it('are checked by these tests for most statements', () => {
    const seen = new Set(covered().map(({ call }) => call))
    const missed = calls.filter((call) => !seen.has(call)).map((call) => `${call.file}:${call.firstLine}`)
    expect(seen.size / calls.length, missed.join('\n')).to.be.at.least(coveredMin)
  })

  it('belong to statements that are short enough to be read with all their fragments', () => {
    const lengths = [...recorded.values()].flatMap(({ file, texts }) =>
      [...texts].map((text) => ({ file, lines: text.trim().split('\n').length })),
    )
    const long = lengths.filter(({ lines }) => lines > assembledLinesMax).map(({ file }) => file)
    expect([...new Set(long)]).to.deep.equal([])
  })

  const covered = () =>
    [...recorded.values()].flatMap(({ file, line, texts, nulls }) => {
      const call = calls.find((one) => one.file === file && line >= one.firstLine && line <= one.lastLine)
      return call === undefined ? [] : [{ call, texts, nulls }]
    })
})

/** Watches every client of Prisma in this process; returns what ends that. */
function recordStatements(recorded: Map<string, Recorded>): () => void {
  const prototype = PrismaClient.prototype as { $queryRaw: (...given: unknown[]) => Promise<unknown[]> }

  const original = prototype.$queryRaw
  prototype.$queryRaw = function (this: unknown, ...given: unknown[]) {
    const place = /\/((?:core|api|worker|tools)\/[\w./-]+\.ts):(\d+):\d+/.exec(new Error().stack ?? '')
    const promise = original.apply(this, given)
    if (place === null) return promise
    const [, file = '', line = ''] = place
    const key = `${file}:${line}`
    const record = recorded.get(key) ?? { file, line: Number(line), texts: new Set(), nulls: new Set() }
    recorded.set(key, record)
    record.texts.add(textOf(given))
    // Only where it is awaited: in a transaction it is not sent by itself.
    const then = promise.then.bind(promise)
    promise.then = (done, failed) =>
      then((rows) => {
        for (const row of rows as Record<string, unknown>[]) {
          for (const [name, value] of Object.entries(row)) if (value === null) record.nulls.add(name)
        }
        return rows
      }).then(done, failed)
    return promise
  }
  return () => {
    prototype.$queryRaw = original
  }
}

function textOf([query, ...values]: unknown[]): string {
  const part = query as TemplateStringsArray | { text: string }
  if ('text' in part) return part.text
  let count = 0
  const write = (strings: readonly string[], given: readonly unknown[]): string =>
    strings.reduce((text, string, index) => {
      const value = given[index - 1] as { strings?: readonly string[]; values?: readonly unknown[] } | null
      const isPart = typeof value === 'object' && value?.strings !== undefined
      const written = isPart ? write(value.strings ?? [], value.values ?? []) : `$${++count}`
      return text + written + string
    })
  return write(part, values)
}

/** Reaches what the API and the loops of a worker do with a casino that has one of everything. */
async function walk(
  service: TestService,
  clock: { now: () => Date },
  pass: (ms: number) => void,
): Promise<void> {
  const [live, sandbox] = await createLiveAndTestWorld(service)
  const chores = createChores(() => service, clock.now)
  const { deps, close } = createWorkerDeps(readConfig(service.env), { clock })
  const loops = createLoops(deps, startLines(deps), () => undefined)
  try {
    for (const { method, path } of createRoutes(service.deps, () => false)) {
      const row = routeRows[`${method} ${path}`]
      for (const world of [live, sandbox]) {
        const place = path.replaceAll(/:(\w+)/g, (_, name: string) => world.ids[name] ?? randomUUID())
        const body = row?.body?.(world)
        for (const key of [world.apiKey, adminApiKey]) {
          await service.client.send(method, place, {
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
          })
        }
      }
    }
    const worker = service.startWorker()
    await untilTransactionsEnd(service.database)
    for (const { cause, laterMs = 0 } of chores) {
      await cause(await service.factory.casino())
      await untilTransactionsEnd(service.database)
      pass(laterMs + 5_000)
      for (const { runOnce } of loops) await runOnce()
    }
    await worker.stop()
  } finally {
    await close()
  }
}
