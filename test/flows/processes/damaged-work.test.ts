import { expect } from 'chai'
import pg from 'pg'
import { pino } from 'pino'
import { takeFromLines } from '../../../core/outbox/line.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { countSetAside } from '../../../core/set-aside/set-aside.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { relayOutbox } from '../../../worker/maintenance/relay-outbox.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'

describe('a damaged row of the outbox', () => {
  let deps: WorkerDeps
  let logged: { loop?: string; objectId?: string }[] = []
  let now: Date

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    const env = await createTestEnv('postgres')
    now = new Date()
    logged = []
    const log = pino({}, { write: (line) => logged.push(JSON.parse(line) as (typeof logged)[number]) })
    // The database reports an error before it releases the locks: another connection might skip the locked rows.
    const config = { ...readConfig(env), databasePoolMax: 1 }
    const opened = createWorkerDeps(config, { clock: { now: () => now } })
    deps = { ...opened.deps, log }
    atTestEnd(opened.close)
    const session = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await session.connect()
    await session.query(`
      CREATE FUNCTION refuse_damaged() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END $$`)
    await session.query(`
      CREATE TRIGGER refuse_damaged BEFORE UPDATE ON outbox FOR EACH ROW
        WHEN (NEW.object_id = 'damaged') EXECUTE FUNCTION refuse_damaged()`)
    await session.end()
  })

  const work = async (objectId: string, line: string | null = null) => {
    const dueAt = new Date(Date.now() + (line === null ? -1_000 : 3_600_000))
    return deps.database.outbox.create({ data: { jobName: 'deliver-webhook', objectId, dueAt, line } })
  }
  const waiting = () => deps.queues.of('deliver-webhook').getWaitingCount()

  it('keeps no other work from its queue, is named, and is tried again after an hour', async () => {
    const { id } = await work('damaged')
    for (let count = 0; count < 5; count++) await work(`well-${count}`)
    while ((await relayOutbox(deps)) > 0);
    expect(await waiting()).to.equal(5)
    expect((await countSetAside(deps.database)).get('relay-outbox')).to.equal(1)
    expect(logged.map(({ loop, objectId }) => [loop, objectId])).to.deep.equal([['relay-outbox', String(id)]])

    await deps.database.outbox.update({ where: { id }, data: { objectId: 'mended' } })
    expect(await relayOutbox(deps)).to.equal(0)
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect(await relayOutbox(deps)).to.equal(1)
    expect(await waiting()).to.equal(6)
  })

  it('delays no other line, and its own for an hour', async () => {
    const [bad, good] = ['webhook\nbad\ncrm', 'webhook\ngood\ncrm']
    await work('damaged', bad)
    await work('behind', bad)
    await work('well', good)
    const take = () =>
      takeFromLines(
        deps,
        [bad, good].map((line) => ({ line, count: 1 })),
      )
    expect((await take()).map(({ objectId }) => objectId)).to.deep.equal(['well'])
    expect((await countSetAside(deps.database)).get('serve-lines')).to.equal(1)

    await deps.database.outbox.updateMany({ where: { objectId: 'damaged' }, data: { objectId: 'mended' } })
    expect(await take()).to.deep.equal([])
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect((await take()).map(({ objectId }) => objectId)).to.deep.equal(['mended'])
  })
})
