import { expect } from 'chai'
import pg from 'pg'
import { RawStatements } from '../../../core/platform/raw-statements.ts'
import { jobNames } from '../../../core/queue/jobs.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { describeStatement, findDifferences, findTypedCalls } from '../../support/row-types.ts'
import type { TypedCall } from '../../support/row-types.ts'
import { describeInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { assembledLinesMax } from '../../support/statements.ts'
import { reachStatements } from './reach-statements.ts'

/** The observations about one call of `$queryRaw` in the sources. */
interface Recorded {
  file: string
  line: number
  texts: Set<string>
  nulls: Set<string>
}

/** Files with calls that happen only after a fault. */
const unreached = [
  'worker/maintenance/relay-outbox.ts', // a damaged row of the outbox
]

const withoutAnswer = { with: 'stored_operation', columns: ['stored_fingerprint', 'stored_response'] }
/** Columns that are null whenever the column `with` is null, because their side of the join is empty. */
const emptySides: Readonly<Record<string, { with: string; columns: readonly string[] }>> = {
  'core/box/load-openers.ts': withoutAnswer,
  'core/cashback/request-cashbacks.ts': withoutAnswer,
  'core/prize-order/place-orders.ts': withoutAnswer,
  'core/prize/load-prizes.ts': withoutAnswer,
  'core/webhook/fan-out.ts': { with: 'outbox_id', columns: ['delivery_id'] },
  'core/webhook/load-deliveries.ts': {
    with: 'id',
    columns: ['casino_id', 'endpoint_id', 'event_id', 'state', 'attempts', 'is_enabled'],
  },
  'core/webhook/replay.ts': { with: 'id', columns: ['endpoint_id'] },
}

/** Facts of an event's object that objects of some types do not have; `EventRow` says so. */
const factsOfObject = ['player_id', 'prize_id', 'item_id', 'kind', 'currency']
const filesWithFacts = ['core/event/read-events.ts']

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
    service = await startService({ clock, env: { QUOTAS: 'players=20', ARCHIVE_AFTER_DAYS: '500' } })
    atEnd(() => service.stop())
    await noteCausedWork(service)
    await reachStatements(service, clock, (ms) => {
      now = new Date(now.getTime() + ms)
    })
  })

  it('name the casino of each work that they cause', async () => {
    const caused = await service.database.$queryRaw<{ job_name: string; is_named: boolean }[]>`
      SELECT DISTINCT job_name, casino.id IS NOT NULL AS is_named
        FROM caused_work LEFT JOIN casino ON casino.id = caused_work.casino_id`
    expect(caused.filter(({ is_named }) => !is_named)).to.deep.equal([])
    // No route is asked to take back a credit here; the tests of debits look at their work.
    const names = jobNames.filter((name) => name !== 'debit-cashback')
    expect(caused.map(({ job_name }) => job_name)).to.have.members(names)
  })

  it('have only properties that are columns of the statement, with their types', async () => {
    const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    try {
      const differences: string[] = []
      for (const { call, texts, nulls } of covered()) {
        for (const text of texts) {
          const columns = await describeStatement(client, text)
          const found = findDifferences(call.row, columns, nulls)
          differences.push(...found.map((difference) => `${call.file}:${call.firstLine} ${difference}`))
        }
      }
      expect([...new Set(differences)]).to.deep.equal([])
    } finally {
      await client.end()
    }
  })

  it('are checked by these tests for every statement, but those that only a fault sends', () => {
    const seen = new Set(covered().map(({ call }) => call))
    const missed = calls.filter((call) => !seen.has(call) && !unreached.includes(call.file))
    expect(missed.map((call) => `${call.file}:${call.firstLine}`)).to.deep.equal([])
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

/** Watches every Prisma client in this process; returns a function that ends this. */
function recordStatements(recorded: Map<string, Recorded>): () => void {
  const prototype = RawStatements.prototype as unknown as {
    $queryRaw: (...given: unknown[]) => Promise<unknown[]>
  }
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
    // Only if it is awaited: as part of a transaction it is not sent alone.
    const then = promise.then.bind(promise)
    promise.then = (done, failed) =>
      then((rows) => {
        for (const row of rows as Record<string, unknown>[]) {
          const expected = nullsExpected(file, row)
          for (const [name, value] of Object.entries(row)) {
            if (value === null && !expected.includes(name)) record.nulls.add(name)
          }
        }
        return rows
      }).then(done, failed)
    return promise
  }
  return () => {
    prototype.$queryRaw = original
  }
}

function nullsExpected(file: string, row: Record<string, unknown>): readonly string[] {
  if (filesWithFacts.includes(file)) return factsOfObject
  const side = emptySides[file]
  return side !== undefined && row[side.with] === null ? side.columns : []
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

/** Keeps what rows the outbox gets. */
async function noteCausedWork({ database }: TestService): Promise<void> {
  await database.$executeRaw`CREATE TABLE caused_work (job_name text, casino_id text)`
  await database.$executeRaw`
    CREATE FUNCTION note_caused_work() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO caused_work VALUES (NEW.job_name, NEW.casino_id);
      RETURN NULL;
    END $$`
  await database.$executeRaw`
    CREATE TRIGGER note_caused_work AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION note_caused_work()`
}
