import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { feedStart } from '../../../core/event/feed-position.ts'
import { RewardsError } from '../../../core/errors.ts'
import type { FeedPosition } from '../../../core/event/feed-position.ts'
import type { PublicEvent } from '../../../core/event/public-event.ts'
import { readFeed } from '../../../core/event/read-events.ts'
import { migrateDatabase } from '../../../prisma/migrate.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the feed of events', () => {
  let service: TestService
  let casinoId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casinoId = (await service.factory.casino()).id
  })

  /** Writes in transactions of its own, as another process does. */
  async function withClient<Value>(
    use: (client: pg.Client) => Promise<Value>,
    connectionString = service.env['DATABASE_URL'],
  ): Promise<Value> {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
  const insertEvent = (client: pg.Client, objectId: string, sequence: number) =>
    client.query(
      `INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
       VALUES ($1, 'prize', $2, $3, 'prize.won', 'won', 'test', now())`,
      [casinoId, objectId, sequence],
    )
  const read = (after: FeedPosition | undefined, limit = 100, reach = new Date(0)) =>
    readFeed(service.database, {
      casinoId,
      after,
      reach,
      types: [],
      limit,
      order: 'asc',
      createdFrom: undefined,
      createdUntil: undefined,
    })
  const objectsOf = (events: readonly PublicEvent[]) => events.map(({ object }) => object.id)

  it('does not wait for transactions of other databases of the server', async () => {
    const elsewhere = new URL(service.env['DATABASE_URL'] ?? '')
    elsewhere.pathname = '/postgres'
    await withClient(async (other) => {
      await other.query('BEGIN')
      await other.query('SELECT pg_current_xact_id()')
      await withClient((early) => insertEvent(early, 'early', 1))
      expect(objectsOf((await read(feedStart)).events)).to.deep.equal(['early'])

      await withClient(async (late) => {
        await late.query('BEGIN')
        await insertEvent(late, 'late', 1)
        await withClient((early) => insertEvent(early, 'after late', 1))
        const meanwhile = await read(feedStart)
        expect(objectsOf(meanwhile.events)).to.deep.equal(['early'])
        await late.query('COMMIT')
        expect(objectsOf((await read(meanwhile.next)).events)).to.deep.equal(['late', 'after late'])
      })

      // A role without rights can see the owners of transactions too.
      const { rows: pids } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await withClient(async (plain) => {
        await plain.query('SET ROLE pg_signal_backend')
        const { rows } = await plain.query(
          `SELECT backend_xid IS NOT NULL AS has_xid, query FROM pg_stat_get_activity($1)
            WHERE datid <> (SELECT oid FROM pg_database WHERE datname = current_database())`,
          [pids[0]?.pid],
        )
        expect(rows).to.deep.equal([{ has_xid: true, query: '<insufficient privilege>' }])
      })
      await other.query('ROLLBACK')
    }, elsewhere.href)
  })

  it('waits for a transaction that has written an event and commits late', async () => {
    await withClient(async (late) => {
      await late.query('BEGIN')
      await insertEvent(late, 'late', 1)
      await withClient((early) => insertEvent(early, 'early', 1))

      const before = await read(feedStart)
      expect(before).to.deep.equal({ events: [], next: feedStart, hasMore: false })
      await late.query('COMMIT')

      const afterwards = await read(before.next)
      expect(objectsOf(afterwards.events)).to.deep.equal(['late', 'early'])
      expect((await read(afterwards.next)).events).to.deep.equal([])
    })
  })

  it('continues after a transaction that was rolled back', async () => {
    await withClient(async (client) => {
      await client.query('BEGIN')
      await insertEvent(client, 'never', 1)
      await client.query('ROLLBACK')
      await insertEvent(client, 'told', 1)
    })
    expect(objectsOf((await read(feedStart)).events)).to.deep.equal(['told'])
  })

  it('continues after a dump was restored into a server that counts from its beginning', async () => {
    const { database, env } = service
    const databaseUrl = env['DATABASE_URL'] ?? ''
    const insert = (objectId: string, txid: bigint) =>
      database.event.create({
        data: {
          casinoId,
          objectType: 'prize',
          objectId,
          sequence: 1,
          type: 'prize.won',
          toState: 'won',
          actor: 'test',
          createdAt: new Date(),
          txid,
        },
      })
    const farAhead = 5_000_000_000n
    const old = [await insert('old', farAhead), await insert('older', farAhead - 1n)]
    const cursor = { txid: String(farAhead), eventId: String(old[0]?.id) }
    let refusal: unknown
    await read(cursor).catch((error: unknown) => (refusal = error))
    expect(refusal).to.include({ code: 'event_cursor_unknown' })

    await migrateDatabase(databaseUrl)
    await withClient((client) => insertEvent(client, 'new', 1))
    expect(objectsOf((await read(cursor)).events)).to.deep.equal(['new'])
    expect(objectsOf((await read(feedStart)).events)).to.deep.equal(['older', 'old', 'new'])

    await migrateDatabase(databaseUrl) // changes nothing any more
    await withClient((client) => insertEvent(client, 'newer', 1))
    expect(objectsOf((await read(cursor)).events)).to.deep.equal(['new', 'newer'])
  })

  describe('beyond its reach', () => {
    const dayMs = 86_400_000
    const now = new Date()
    const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
    const reach = daysAgo(100)

    /** Writes events of these ages, each in a transaction of its own, and names them by their age. */
    async function insertAged(...ages: readonly number[]): Promise<void> {
      for (const days of ages) {
        await service.database.event.create({
          data: {
            casinoId,
            objectType: 'prize',
            objectId: `${days} days`,
            sequence: 1,
            type: 'prize.won',
            toState: 'won',
            actor: 'test',
            createdAt: daysAgo(days),
          },
        })
      }
      await untilTransactionsEnd(service.database)
    }
    const codeOf = (reading: Promise<unknown>) =>
      reading.then(
        () => undefined,
        (error: unknown) => (error instanceof RewardsError ? error.code : error),
      )

    it('begins at the oldest event that the feed has to show, in both directions', async () => {
      await insertAged(300, 101, 99, 1)
      const fromStart = await read(undefined, 1, reach)
      expect(objectsOf(fromStart.events)).to.deep.equal(['99 days'])
      expect(objectsOf((await read(fromStart.next, 10, reach)).events)).to.deep.equal(['1 days'])

      const request = {
        casinoId,
        reach,
        types: [],
        limit: 10,
        createdFrom: daysAgo(200),
        createdUntil: undefined,
      }
      const ofRange = await readFeed(service.database, { ...request, after: undefined, order: 'asc' })
      expect(objectsOf(ofRange.events)).to.deep.equal(['99 days', '1 days'])
      const downwards = await readFeed(service.database, { ...request, after: undefined, order: 'desc' })
      expect(objectsOf(downwards.events)).to.deep.equal(['1 days', '99 days'])
      expect(downwards.hasMore).to.equal(false)
      const further = await readFeed(service.database, { ...request, after: downwards.next, order: 'desc' })
      expect([further.events, further.hasMore]).to.deep.equal([[], false])
    })

    it('refuses a cursor once the event after it is a day too old, also for a type that does not match it', async () => {
      await insertAged(300)
      const { next } = await read(feedStart, 1)
      expect((await read(next, 10, reach)).events, 'nothing has happened since').to.deep.equal([])
      await insertAged(100.9)
      expect(objectsOf((await read(next, 10, reach)).events)).to.deep.equal(['100.9 days'])
      const later = daysAgo(99.5)
      expect(await codeOf(read(next, 10, later))).to.equal('cursor_expired')
      const other = {
        casinoId,
        after: next,
        reach: later,
        types: ['cashback.*'],
        limit: 10,
        order: 'asc',
      } as const
      const range = { createdFrom: undefined, createdUntil: undefined }
      expect(await codeOf(readFeed(service.database, { ...other, ...range }))).to.equal('cursor_expired')
      expect(await codeOf(read(feedStart, 10, later))).to.equal('cursor_expired')
    })

    it('gives a client that starts with an empty feed a cursor that does not expire because of older events', async () => {
      await insertAged(300, 200)
      const { events, next } = await read(undefined, 10, reach)
      expect(events).to.deep.equal([])
      expect((await read(next, 10, reach)).events).to.deep.equal([])
      await insertAged(1)
      expect(objectsOf((await read(next, 10, reach)).events)).to.deep.equal(['1 days'])
    })
  })

  it('shows every event once and in order, under any concurrent writes', async function () {
    this.timeout(60_000)
    const objects = ['a', 'b', 'c', 'd', 'e']
    await service.database.prize.createMany({
      data: objects.map((id) => ({
        casinoId,
        id,
        playerId: 'p',
        itemId: 'mug',
        itemName: 'Mug',
        kind: 'physical',
        state: 'won',
        createdAt: new Date(),
        updatedAt: new Date(),
        revision: 0,
      })),
    })
    const [writerCount, eventsPerWriter] = [6, 50]
    const writing = { isOver: false }
    const writers = Array.from({ length: writerCount }, () =>
      withClient(async (client) => {
        for (let count = 0; count < eventsPerWriter;) {
          const objectId = objects[Math.floor(Math.random() * objects.length)] ?? 'a'
          if (await moveOn(client, objectId)) count++
        }
      }),
    )
    const written = Promise.all(writers).finally(() => {
      writing.isOver = true
    })
    const seen: PublicEvent[] = []
    let filledPages = 0
    let position = feedStart
    for (;;) {
      const isLast = writing.isOver // asked before reading, so that the reading after the last write sees all
      const page = await read(position, 7)
      expect(page.events.length).to.be.lessThanOrEqual(7)
      seen.push(...page.events)
      position = page.next
      if (page.events.length > 0 && !isLast) filledPages++
      if (isLast && !page.hasMore) break
      if (page.events.length === 0) await pause(1)
    }
    await written

    const total = writerCount * eventsPerWriter
    expect(filledPages, 'pages read while writers wrote').to.be.greaterThan(5)
    expect(new Set(seen.map(({ id }) => id)).size).to.equal(total)
    expect(seen.length).to.equal(total)
    for (const id of objects) {
      const sequences = seen.filter(({ object }) => object.id === id).map(({ sequence }) => sequence)
      expect(sequences).to.deep.equal(sequences.map((_, index) => index + 1))
    }
  })

  /** Makes one change as the service does: only if the row has not changed since it was loaded. */
  async function moveOn(client: pg.Client, objectId: string): Promise<boolean> {
    const key = [casinoId, objectId]
    const { rows } = await client.query<{ revision: number }>(
      'SELECT revision FROM prize WHERE casino_id = $1 AND id = $2',
      key,
    )
    const revision = rows[0]?.revision ?? 0
    await client.query('BEGIN')
    const { rowCount } = await client.query(
      'UPDATE prize SET revision = revision + 1 WHERE casino_id = $1 AND id = $2 AND revision = $3',
      [...key, revision],
    )
    if (rowCount === 1) await insertEvent(client, objectId, revision + 1)
    await pause(Math.random() * 8)
    await client.query(rowCount === 1 ? 'COMMIT' : 'ROLLBACK')
    return rowCount === 1
  }
})
