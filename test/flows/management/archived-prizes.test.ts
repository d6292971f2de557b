import { expect } from 'chai'
import pg from 'pg'
import { Prisma } from '../../../core/platform/database.ts'
import { sql } from '../../../core/platform/sql.ts'
import { archivePrizes } from '../../../core/archive/archive-prizes.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { archiveAfterMs, createArchiveTools, unitTables } from '../../support/archived-world.ts'
import type { EndedWorld } from '../../support/archived-world.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { asServiceRole } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

type Row = Record<string, unknown>

describe('the archive of prizes', () => {
  let service: TestService
  let deps: WorkerDeps
  let tools: ReturnType<typeof createArchiveTools>
  let world: EndedWorld

  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    ;({ deps } = service.startWorker())
    tools = createArchiveTools(service, deps)
  })
  beforeEach(async () => {
    world = await tools.makeEnded()
  })

  const connect = async (connectionString = service.env['DATABASE_URL']) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    atTestEnd(() => client.end())
    return client
  }
  const change = (statement: Prisma.Sql) => changeAsOwner(service.database, statement)
  const codeOf = (client: pg.Client, text: string) =>
    client.query(text).then(
      () => 'done',
      (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
    )
  /** The rows of a table or view of the casino, with the prize of each. */
  const rowsOf = async (table: string, casinoId = world.casino.id): Promise<Row[]> => {
    const rows = await service.database.$queryRaw<{ row: Row }[]>`
      SELECT to_jsonb(one) - 'archived_month' AS row FROM ${Prisma.raw(table)} AS one
       WHERE casino_id = ${casinoId}::text ORDER BY id`
    return rows.map(({ row }) => row)
  }
  const idsOf = async (table: string) => (await rowsOf(table)).map(({ id }) => id)
  const isArchived = async (prizeId: string) => (await idsOf('archived_prize')).includes(prizeId)

  it('moves ended prizes with their orders, cashbacks and openings, row by row, and no others', async () => {
    const { casino, delivered, cashed, voided, expired, given, won } = world
    await tools.prepare(casino.id)
    const before = new Map<string, Row[]>()
    for (const table of unitTables) before.set(table, await rowsOf(table))
    await tools.archiveAll()
    expect(await idsOf('archived_prize')).to.have.members([
      delivered.prizeId,
      cashed.prizeId,
      voided,
      expired,
      given,
    ])
    expect(await idsOf('prize'))
      .to.include(won)
      .and.to.have.length(2)
    expect(await tools.countRows(casino.id)).to.deep.equal({
      prize: [2, 5],
      prize_order: [0, 2],
      cashback: [0, 1],
      opening: [1, 4],
    })
    for (const table of unitTables) expect(await rowsOf(`every_${table}`)).to.deep.equal(before.get(table))
    const months = await service.database.$queryRaw<{ month: string }[]>`
      SELECT DISTINCT to_char(archived_month, 'YYYY-MM') AS month FROM archived_prize`
    expect(months).to.deep.equal([{ month: new Date().toISOString().slice(0, 7) }])
  })

  it('waits until all of a prize is old', async () => {
    const { casino, delivered, cashed, voided } = world
    await tools.prepare(casino.id)
    await change(sql`UPDATE prize_order SET updated_at = now() WHERE id = ${delivered.orderIds[0]}::text`)
    await change(sql`UPDATE cashback SET updated_at = now() WHERE id = ${cashed.cashbackId}::text`)
    await change(
      sql`UPDATE prize SET updated_at = now() WHERE casino_id = ${casino.id}::text AND id = ${voided}::text`,
    )
    await tools.archiveAll()
    expect(await idsOf('archived_prize')).to.have.members([world.expired, world.given])
    await tools.age(casino.id, 420)
    await tools.archiveAll()
    expect(await idsOf('archived_prize')).to.have.length(5)
  })

  /** Each keeps the delivered prize live, and is taken back. */
  const obstacles: Record<string, (world: EndedWorld) => { set: Prisma.Sql; unset: Prisma.Sql }> = {
    'delivery details that are not erased': ({ delivered: { orderIds } }) => ({
      set: sql`UPDATE prize_order SET delivery_key = substring(sha256('x') || sha256('y') FOR 60) WHERE id = ${orderIds[1]}::text`,
      unset: sql`UPDATE prize_order SET delivery_key = NULL WHERE id = ${orderIds[1]}::text`,
    }),
    'a seed that is still secret': ({ casino, delivered: { openingId } }) => {
      const seedIn = (state: string) => sql`
        UPDATE opening SET seed_id = (SELECT id FROM server_seed
                                       WHERE casino_id = ${casino.id}::text AND state = ${state}::text)
         WHERE id = ${openingId}::text`
      return { set: seedIn('active'), unset: seedIn('revealed') }
    },
    'an event that is live': ({ casino, delivered: { orderIds } }) => ({
      set: sql`INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
               VALUES (${casino.id}::text, 'prize_order', ${orderIds[1]}::text, 99, 'prize_order.news_ignored', 'delivered',
                       'provider', now())`,
      unset: sql`DELETE FROM event WHERE object_id = ${orderIds[1]}::text AND sequence = 99`,
    }),
    'work in the outbox': ({ delivered: { orderIds } }) => ({
      set: sql`INSERT INTO outbox (job_name, object_id, due_at)
               VALUES ('fulfil-prize-order', ${orderIds[0]}::text, now() + interval '1 hour')`,
      unset: sql`DELETE FROM outbox WHERE object_id = ${orderIds[0]}::text`,
    }),
    'an open hold': ({ delivered: { orderIds } }) => ({
      set: sql`UPDATE order_hold SET released_at = NULL WHERE order_id = ${orderIds[0]}::text`,
      unset: sql`UPDATE order_hold SET released_at = now() WHERE order_id = ${orderIds[0]}::text`,
    }),
    'a shipment update that is not applied yet': ({ casino, delivered: { orderIds } }) => ({
      set: sql`INSERT INTO partner_event (casino_id, id, order_id, shipment_number, status, occurred_at, received_at)
               VALUES (${casino.id}::text, 'late', ${orderIds[1]}::text, 1, 'shipped', now(), now())`,
      unset: sql`UPDATE partner_event SET outcome = 'noted' WHERE casino_id = ${casino.id}::text AND id = 'late'`,
    }),
    'an attempt that may still run': ({ delivered: { orderIds } }) => ({
      set: sql`UPDATE prize_order SET attempt_until = now() + interval '1 hour' WHERE id = ${orderIds[1]}::text`,
      unset: sql`UPDATE prize_order SET attempt_until = NULL WHERE id = ${orderIds[1]}::text`,
    }),
  }
  for (const [what, of] of Object.entries(obstacles)) {
    it(`leaves a prize with ${what}`, async () => {
      const { casino, delivered } = world
      await tools.prepare(casino.id)
      for (let lookedAt = 1; lookedAt > 0;) lookedAt = await tools.archiveEventsOnce()
      const { set, unset } = of(world)
      expect(await change(set)).to.be.greaterThan(0)
      await tools.archivePrizesOnly(casino.id)
      expect(await isArchived(delivered.prizeId)).to.equal(false)
      expect(await isArchived(world.voided)).to.equal(true)
      expect(await change(unset)).to.be.greaterThan(0)
      await tools.archivePrizesOnly(casino.id)
      expect(await isArchived(delivered.prizeId)).to.equal(true)
      expect((await tools.countRows(casino.id))['prize_order']).to.deep.equal([0, 2])
    })
  }

  it('leaves what another transaction has locked, and waits for nothing', async () => {
    const { casino, delivered, cashed, voided } = world
    await tools.prepare(casino.id)
    const other = await connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM prize WHERE casino_id = $1 AND id = $2 FOR UPDATE', [casino.id, voided])
    await other.query('SELECT FROM prize_order WHERE id = $1 FOR SHARE', [delivered.orderIds[0]])
    await other.query('SELECT FROM cashback WHERE id = $1 FOR UPDATE', [cashed.cashbackId])
    await tools.archiveAll()
    expect(await idsOf('archived_prize')).to.have.members([world.expired, world.given])
    await other.query('ROLLBACK')
    await tools.archivePrizesOnly(casino.id)
    expect(await idsOf('archived_prize')).to.have.length(5)
  })

  it('is the only way for these rows to leave their tables, and to come back, for every role', async () => {
    const { casino, delivered } = world
    const owner = await connect()
    for (const table of unitTables) {
      expect(await codeOf(owner, `DELETE FROM ${table}`), table).to.equal('23001')
      expect(await codeOf(owner, `TRUNCATE ${table}`), table).to.equal('23001')
    }
    // A copy must be equal.
    await owner.query('BEGIN')
    await owner.query('SELECT prepare_prize_archive()')
    await owner.query(
      `INSERT INTO archived_cashback SELECT *, date_trunc('month', now()) FROM cashback WHERE casino_id = $1`,
      [casino.id],
    )
    await owner.query('SAVEPOINT copied')
    expect(await codeOf(owner, `DELETE FROM cashback WHERE casino_id = '${casino.id}'`)).to.equal('done')
    await owner.query('ROLLBACK TO copied')
    await changedCopy(owner, casino.id)
    expect(await codeOf(owner, `DELETE FROM cashback WHERE casino_id = '${casino.id}'`)).to.equal('23001')
    await owner.query('ROLLBACK')

    await tools.prepare(casino.id)
    await tools.archiveAll()
    for (const table of unitTables) {
      expect(await codeOf(owner, `DELETE FROM archived_${table}`), table).to.equal('23001')
      expect(await codeOf(owner, `UPDATE archived_${table} SET id = id`), table).to.equal('23001')
    }
    const role = await connect(asServiceRole(service.env['DATABASE_URL'] ?? ''))
    const month = new Date().toISOString().slice(0, 7).replace('-', '_')
    for (const table of unitTables) {
      for (const text of [
        `DELETE FROM ${table}`,
        `DELETE FROM archived_${table}`,
        `INSERT INTO archived_${table} SELECT * FROM archived_${table}`,
        `SELECT FROM archive.${table}_${month}`,
      ])
        expect(await codeOf(role, text), text).to.equal('42501')
    }
    for (const table of ['prize_archive', 'archived_opening_count', 'archived_draw_count'])
      expect(await codeOf(role, `DELETE FROM ${table}`), table).to.equal('42501')
    const archiveBefore = (days: number) =>
      `SELECT archive_prizes('${casino.id}', now() - interval '${days} days', 500)`
    expect(await codeOf(role, archiveBefore(29))).to.equal('P0001')
    expect(await codeOf(role, archiveBefore(31))).to.equal('done')
    const bringing = `SELECT bring_back_prizes('${casino.id}', 'prize_order', ARRAY['${delivered.orderIds[0]}'])`
    const stranger = await connect()
    await stranger.query('SET ROLE pg_monitor')
    expect(await codeOf(stranger, archiveBefore(31))).to.equal('42501')
    expect(await codeOf(stranger, bringing)).to.equal('42501')
    expect(await codeOf(role, bringing)).to.equal('done')
    expect(await isArchived(delivered.prizeId)).to.equal(false)
  })

  /** Puts another copy in place of the equal one. */
  const changedCopy = async (owner: pg.Client, casinoId: string) => {
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query('UPDATE archived_cashback SET revision = revision + 1 WHERE casino_id = $1', [casinoId])
    await owner.query(`SET LOCAL session_replication_role = 'origin'`)
  }

  it('brings back all of a prize, exactly as it was', async () => {
    const { casino, delivered } = world
    await tools.prepare(casino.id)
    const before = new Map<string, Row[]>()
    for (const table of unitTables) before.set(table, await rowsOf(table))
    const counts = await tools.readCounts(casino.id)
    await tools.archiveAll()
    expect(await tools.readCounts(casino.id)).to.not.deep.equal(counts)
    for (const [kind, id] of [
      ['prize', delivered.prizeId],
      ['cashback', world.cashed.cashbackId],
      ['prize', world.voided],
      ['prize', world.expired],
      ['prize', world.given],
    ] as const) {
      const bring = () => service.database.$queryRaw`
        SELECT bring_back_prizes(${casino.id}::text, ${kind}::text, ARRAY[${id}::text]) AS known`
      expect(await bring()).to.deep.equal([{ known: 1 }])
      expect(await bring(), 'again').to.deep.equal([{ known: 1 }])
    }
    for (const table of unitTables) {
      expect(await rowsOf(table)).to.deep.equal(before.get(table))
      expect(await rowsOf(`archived_${table}`)).to.deep.equal([])
    }
    expect(await tools.readCounts(casino.id)).to.deep.equal(counts)
    const unknown = await service.database.$queryRaw`
      SELECT bring_back_prizes(${casino.id}::text, 'prize'::text, ARRAY['no such prize']) AS known`
    expect(unknown).to.deep.equal([{ known: 0 }])
  })

  it('has each row once, however many workers move those of several casinos', async () => {
    const casinos = [world.casino, await service.factory.casino(), await service.factory.casino()]
    const before = new Map<string, Row[]>()
    for (const { id } of casinos) {
      await service.database.prize.createMany({
        data: Array.from({ length: 450 }, (_, index) => ({
          casinoId: id,
          id: `p${index}`,
          playerId: 'ann',
          itemId: 'mug',
          itemName: 'Mug',
          kind: 'physical',
          state: index % 3 === 0 ? 'won' : 'voided',
          createdAt: new Date(),
          updatedAt: new Date(),
        })),
      })
      await tools.archivePrizesOnly(id)
      await tools.age(id, 420)
      before.set(id, await rowsOf('prize', id))
    }
    const run = async () => {
      for (let lookedAt = 1; lookedAt > 0;) lookedAt = await archivePrizes(deps, archiveAfterMs)
    }
    await Promise.all([run(), run(), run(), run()])
    for (const { id } of casinos) {
      const [live, moved] = [await rowsOf('prize', id), await rowsOf('archived_prize', id)]
      expect(
        moved.filter((row) => String(row['id']).startsWith('p') && row['player_id'] === 'ann'),
      ).to.have.length(300)
      const all = [...live, ...moved].sort((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1))
      const expected = [...(before.get(id) ?? [])].sort((one, other) =>
        String(one['id']) < String(other['id']) ? -1 : 1,
      )
      expect(all).to.deep.equal(expected)
    }
  })

  it('loses nothing when the connection ends while a prize moves', async () => {
    const { casino } = world
    await tools.prepare(casino.id)
    await tools.archivePrizesOnly(casino.id, 36_000)
    for (let lookedAt = 1; lookedAt > 0;) lookedAt = await tools.archiveEventsOnce()
    await tools.age(casino.id, 0)
    const before = new Map<string, Row[]>()
    for (const table of unitTables) before.set(table, await rowsOf(table))
    const blocker = await connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE archived_prize IN SHARE MODE')
    const mover = await connect()
    const { rows } = await mover.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const moving = codeOf(mover, `SELECT archive_prizes('${casino.id}', now() - interval '410 days', 500)`)
    mover.on('error', () => undefined)
    await eventually('it waits with a part of the rows', async () => {
      const { rows: waiting } = await blocker.query(
        `SELECT FROM pg_locks WHERE pid = $1 AND NOT granted AND relation = 'archived_prize'::regclass`,
        [rows[0]?.pid],
      )
      return waiting.length === 1
    })
    await blocker.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    expect(await moving).to.not.equal('done')
    await blocker.query('ROLLBACK')
    for (const table of unitTables) {
      expect(await rowsOf(table)).to.deep.equal(before.get(table))
      expect(await rowsOf(`archived_${table}`)).to.deep.equal([])
    }
    await tools.archivePrizesOnly(casino.id)
    expect(await idsOf('archived_prize')).to.have.length(5)
    for (const table of unitTables) expect(await rowsOf(`every_${table}`)).to.deep.equal(before.get(table))
  })

  it('refuses an opening whose number an archived one has, and another gap', async () => {
    const { casino, boxId } = world
    await tools.prepare(casino.id)
    await tools.archiveAll()
    const owner = await connect()
    const addOpening = (sequence: number) =>
      codeOf(
        owner,
        `INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted, prize_id,
                              request_id, odds_hash, seed_id, nonce, forced, opened_at)
         SELECT 'opn_' || ${sequence}, '${casino.id}', 'ann', ${sequence}, '${boxId}', 1, 1, 'mug', false, 'p', 'r', odds_hash,
                (SELECT id FROM server_seed WHERE casino_id = '${casino.id}' AND state = 'active'), 1, false, now()
           FROM box_version WHERE casino_id = '${casino.id}' AND box_id = '${boxId}'`,
      )
    expect([await addOpening(1), await addOpening(4), await addOpening(6)]).to.deep.equal(
      Array<string>(3).fill('23514'),
    )
    expect(await addOpening(5)).to.equal('done')
  })

  it('has the columns of the live tables, and so have the views of both', async () => {
    for (const table of unitTables) {
      const rows = await service.database.$queryRaw<{ name: string; columns: string }[]>`
        SELECT attrelid::regclass::text AS name,
               string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attname) AS columns
          FROM pg_attribute
         WHERE attrelid IN (${table}::regclass, ${`archived_${table}`}::regclass, ${`every_${table}`}::regclass)
           AND attnum > 0 AND NOT attisdropped AND attname <> 'archived_month'
         GROUP BY attrelid`
      expect(rows).to.have.length(3)
      expect(new Set(rows.map(({ columns }) => columns)).size, JSON.stringify(rows)).to.equal(1)
    }
  })

  it('makes the partitions of this month and the next two, in turns with other workers', async () => {
    await Promise.all(Array.from({ length: 4 }, () => archivePrizes(deps, archiveAfterMs)))
    const rows = await service.database.$queryRaw<{ parent: string; count: number }[]>`
      SELECT inhparent::regclass::text AS parent, count(*)::int AS count FROM pg_inherits
       WHERE inhparent::regclass::text LIKE 'archived\\_%' AND inhrelid::regclass::text NOT LIKE '%idx'
         AND inhrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r')
       GROUP BY inhparent ORDER BY 1`
    const expected = [
      'archived_cashback',
      'archived_event',
      'archived_opening',
      'archived_prize',
      'archived_prize_order',
    ]
    expect(rows.map(({ parent }) => parent)).to.have.members(expected)
    for (const { count } of rows) expect(count).to.equal(3)
  })
})
