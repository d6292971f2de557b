import { expect } from 'chai'
import pg from 'pg'
import { readConfig } from '../../../core/platform/config.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { createLoops } from '../../../worker/loops.ts'
import { startLines } from '../../../worker/workers.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createChores } from '../../support/chores.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** They work on no rows that belong to a casino, or on the outbox, which knows none. */
const loopsWithoutCasinos = [
  'compare-clocks',
  'watch-liveness',
  'relay-outbox',
  'serve-lines',
  'prune-sessions',
  'heartbeat',
  'prune-minutes',
]

describe('a casino whose rows hold a loop up', () => {
  let service: TestService
  let session: pg.Client
  /** New ones remember nothing of when they looked last. */
  let makeLoops: () => ReturnType<typeof createLoops>
  let tablesOfCasinos: readonly string[] = []
  let now = new Date()

  const atEnd = atEndOfSuite()
  before(async () => {
    const clock = { now: () => now }
    service = await startService({ clock })
    atEnd(() => service.stop())
    const { deps, close } = createWorkerDeps(readConfig({ ...service.env, LOG_LEVEL: 'silent' }), { clock })
    atEnd(close)
    const lines = startLines(deps)
    makeLoops = () => createLoops(deps, lines, () => undefined)
    session = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await session.connect()
    atEnd(() => session.end())
    await session.query(`
      CREATE FUNCTION refuse_casino() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (CASE TG_OP WHEN 'DELETE' THEN OLD.casino_id ELSE NEW.casino_id END) = TG_ARGV[0] THEN
          RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`)
    const { rows } = await session.query<{ table_name: string }>(`
      SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND column_name = 'casino_id' AND table_type = 'BASE TABLE'`)
    tablesOfCasinos = rows.map(({ table_name: name }) => name)
  })

  const chores = createChores(
    () => service,
    () => now,
  )
  const loopOf = (name: string) => {
    const runOnce = makeLoops().find((loop) => loop.name === name)?.runOnce
    if (runOnce === undefined) throw new Error(`there is no loop ${name}`)
    return runOnce
  }
  const runLoop = async (name: string) => {
    const runOnce = loopOf(name)
    for (let turn = 0; turn < 20; turn++) if ((await runOnce()) === 0) return
    throw new Error('the loop does not come to an end')
  }
  const isDoneFor = (isDone: (casino: TestCasino) => Promise<boolean>, casinos: readonly TestCasino[]) =>
    Promise.all(casinos.map(isDone))
  /** The first is the one that holds the loop up. */
  const makeCasinos = async (cause: (casino: TestCasino) => Promise<unknown>) => {
    const made: TestCasino[] = []
    for (let count = 0; count < 3; count++) {
      const casino = await service.factory.casino()
      await cause(casino)
      now = new Date(now.getTime() + 1_000) // so the first one is due first
      made.push(casino)
    }
    return made
  }
  const pass = async (ms: number) => {
    now = new Date(now.getTime() + ms)
    await untilTransactionsEnd(service.database)
  }

  it('is tested with every loop that has casinos', () => {
    const tried = [...loopsWithoutCasinos, ...new Set(chores.map(({ loop }) => loop))]
    expect(
      makeLoops()
        .map(({ name }) => name)
        .sort(),
    ).to.deep.equal(tried.sort())
  })

  for (const [n, { loop, what, table, cause, laterMs = 0, isDone }] of chores.entries()) {
    const [refusal, lock] = n % 2 === 0 ? [it, itInLongForm] : [itInLongForm, it]
    refusal(
      `delays no other casino in the loop that ${what} when the database refuses them (${loop})`,
      async () => {
        const casinos = await makeCasinos(cause)
        await pass(laterMs)
        await session.query(`
        CREATE TRIGGER refuse_casino BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW
          EXECUTE FUNCTION refuse_casino('${casinos[0]?.id ?? ''}')`)
        try {
          // The database reports an error before it releases the locks: a turn may skip the rows of the others.
          await eventually('the other casinos are served', async () => {
            await runLoop(loop)
            return (await isDoneFor(isDone, casinos.slice(1))).every(Boolean)
          })
        } finally {
          await session.query(`DROP TRIGGER refuse_casino ON ${table}`)
        }
        expect(await isDoneFor(isDone, casinos)).to.deep.equal([false, true, true])
      },
    )

    lock(
      `delays no other casino in the loop that ${what} when another process locks them (${loop})`,
      async () => {
        const casinos = await makeCasinos(cause)
        await pass(laterMs)
        await session.query('BEGIN')
        try {
          for (const held of tablesOfCasinos) {
            await session.query(`SELECT FROM ${held} WHERE casino_id = $1 FOR UPDATE`, [casinos[0]?.id])
          }
          await runLoop(loop)
          expect(await isDoneFor(isDone, casinos.slice(1))).to.deep.equal([true, true])
        } finally {
          await session.query('ROLLBACK')
        }
        await runLoop(loop)
        expect(await isDoneFor(isDone, casinos)).to.deep.equal([true, true, true])
      },
    )
  }

  /** So many more of the casino's rows. */
  const copy = (table: string, casinoId: string | undefined, count: number) =>
    session.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(original, jsonb_build_object(
                'id', to_jsonb(original) ->> 'id' || '-' || copy, 'key', copy, 'replay_number', copy))).*
         FROM ${table} AS original, generate_series(1, $2::int) AS copy
        WHERE casino_id = $1`,
      [casinoId, count],
    )

  for (const { loop, what, table, cause, laterMs = 0, isDone } of chores.filter(({ isMany }) => isMany))
    it(`delays no other casino in the loop that ${what} when there are many of them (${loop})`, async () => {
      const casinos = await makeCasinos(cause)
      await pass(laterMs)
      await copy(table, casinos[0]?.id, 600)
      await loopOf(loop)()
      expect(await isDoneFor(isDone, casinos.slice(1))).to.deep.equal([true, true])
      await runLoop(loop)
    })

  for (const { loop, what, table, cause, laterMs = 0, isDone } of chores.filter(
    ({ isMany, passesOver }) => isMany ?? passesOver,
  ))
    itInLongForm(
      `delays no other casino in the loop that ${what} when another process locks many of them (${loop})`,
      async () => {
        const casinos = await makeCasinos(cause)
        await pass(laterMs)
        await copy(table, casinos[0]?.id, 1_100)
        await session.query('BEGIN')
        try {
          await session.query(`SELECT FROM ${table} WHERE casino_id = $1 FOR UPDATE`, [casinos[0]?.id])
          await runLoop(loop)
          expect(await isDoneFor(isDone, casinos.slice(1))).to.deep.equal([true, true])
        } finally {
          await session.query('ROLLBACK')
        }
        await runLoop(loop)
      },
    )
})
