import { expect } from 'chai'
import { pino } from 'pino'
import pg from 'pg'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { revealRetiredSeeds } from '../../../core/fairness/reveal-seeds.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { exportPages, readSigningKey } from '../../support/evidence.ts'
import { createFactory } from '../../support/factory.ts'
import type { Factory, TestCasino } from '../../support/factory.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { runVerify, toLines } from '../../support/verify.ts'
import { describeInLongForm } from '../../support/runs.ts'

interface Opened {
  prize: { id: string }
  opening: { id: string; seed_id: string; nonce: number }
}

/** Real processes, as in production: they know of each other only through the database. */
describeInLongForm('verifiable draws of two API processes', function () {
  this.timeout(90_000)
  const apis: ServiceProcess[] = []
  let env: Env
  let open: OpenDatabase
  let database: Database
  let factory: Factory
  let casino: TestCasino
  let boxId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    env = await createTestEnv('postgres')
    open = openDatabase({ url: env['DATABASE_URL'] ?? '', poolMax: 5, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
    database = open.database
    factory = createFactory(database, env['HASH_SECRET'] ?? '')
  })
  beforeEach(async () => {
    casino = await factory.casino()
    const entries = [
      { itemId: await factory.item(casino.id), weight: 1, stock: 20 },
      { itemId: await factory.item(casino.id), weight: 2 },
    ]
    const fallbackItemId = await factory.item(casino.id, { kind: 'none', cashback: null })
    boxId = await factory.box(casino.id, { entries, fallbackItemId })
  })

  /** As many APIs as are asked for: those that still run, and new ones where a test has killed some. */
  const runApis = async (count: number): Promise<Client[]> => {
    while (apis.length < count) {
      const api = await startProcess('api', env)
      apis.push(api)
      atEnd(() => api.kill())
    }
    return apis.slice(0, count).map(({ url }) => createClient(url))
  }
  const runApi = async (): Promise<Client> => {
    const [client] = await runApis(1)
    if (client === undefined) throw new Error('no API runs')
    return client
  }
  /** The one that `runApi` has returned; next time it returns another one. */
  const killApi = async () => apis.shift()?.kill()
  const openBox = (client: Client, playerId: string, key?: string) =>
    client.post(
      '/box/open',
      casino.apiKey,
      { player_id: playerId, box_id: boxId },
      key === undefined ? {} : { 'Idempotency-Key': key },
    )
  const send = (client: Client, method: string, path: string, apiKey: string, body = {}) =>
    client.send(method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const rotate = async (client: Client) => {
    const reply = await send(client, 'POST', `/admin/casinos/${casino.id}/fairness/rotate`, adminApiKey)
    expect(reply.status).to.equal(200)
  }
  /** As a worker does it, when half a minute is over. */
  const reveal = () =>
    revealRetiredSeeds({
      database,
      clock: { now: () => new Date(Date.now() + 60_000) },
      cipher: createEnvelopeCipher(readConfig(env).encryptionKeys),
      log: pino({ level: 'silent' }),
      reportUnopened: (seeds) => {
        expect(seeds).to.deep.equal([])
      },
    })

  it('have gapless nonces for each player and seed, which a whole export proves', async () => {
    const [one, other] = await runApis(2)
    if (one === undefined || other === undefined) throw new Error('no API runs')
    const players = ['ann', 'bob', 'Jörg "😀"', '42']
    for (const player of players) await factory.grant(casino.id, player, boxId, 1000)
    const path = `/fairness/players/${encodeURIComponent('bob')}/client-seed`
    expect((await send(one, 'PUT', path, casino.apiKey, { client_seed: 'bob’s' })).status).to.equal(200)

    const openMany = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, i) =>
          openBox(i % 2 === 0 ? one : other, players[Math.floor(i / 2) % players.length] ?? ''),
        ),
      )
    const replies = [...(await openMany(60))]
    const [more] = await Promise.all([openMany(120), rotate(one)])
    replies.push(...more, ...(await openMany(60)))
    await rotate(other)
    expect(replies.map((reply) => reply.status)).to.deep.equal(replies.map(() => 200))
    expect(await reveal()).to.equal(2)

    const ids = new Set(replies.map((reply) => (reply.json as Opened).opening.id))
    const key = await readSigningKey(one)
    expect(await readSigningKey(other)).to.equal(key)
    const seedIds = new Set(replies.map((reply) => (reply.json as Opened).opening.seed_id))
    expect(seedIds.size).to.equal(2)
    const everything = []
    for (const seedId of seedIds) {
      const pages = await exportPages(one, casino.apiKey, `seed_id=${seedId}&limit=37`)
      const rows = pages.flatMap((page) => page.data)
      expect(rows.every((row) => row.seed_id === seedId && row.seed !== null)).to.equal(true)
      for (const player of players) {
        const nonces = rows.filter((row) => row.player_id === player).map((row) => row.nonce)
        expect(nonces.sort((a, b) => a - b)).to.deep.equal(nonces.map((_, index) => index + 1))
      }
      expect(await runVerify(toLines(pages), ['--complete-seeds', '--key', key])).to.deep.equal({
        exitCode: 0,
        stdout: `${rows.length} verified, 0 not verified\n`,
        stderr: '',
      })
      everything.push(...rows)
    }
    expect(await runVerify(toLines(everything), ['--complete', '--key', key])).to.deep.equal({
      exitCode: 0,
      stdout: '240 verified, 0 not verified\n',
      stderr: '',
    })
    expect(new Set(everything.map((row) => row.id))).to.deep.equal(ids)
    expect(everything.some((row) => row['substituted_for'] !== null)).to.equal(true)
    expect(
      new Set(everything.filter((row) => row.player_id === 'bob').map((row) => row.client_seed)),
    ).to.deep.equal(new Set(['bob’s']))
    // One of them withheld, and it shows.
    const withheld = everything.findIndex((row) => row.nonce === 2)
    const verdict = await runVerify(toLines(everything.toSpliced(withheld, 1)), ['--complete', '--key', key])
    expect(verdict).to.include({ exitCode: 1, stdout: '239 verified, 0 not verified, 1 missing\n' })
    expect(verdict.stderr).to.match(/^player .*, seed sed_[0-9a-f]{32}: missing nonce 2$/m)
  })

  it('continue with the next seed without a request when a worker runs', async () => {
    const client = await runApi()
    await factory.grant(casino.id, 'ann', boxId, 10)
    for (let turn = 0; turn < 10; turn++) expect((await openBox(client, 'ann')).status).to.equal(200)
    const { seedId } = await database.opening.findFirstOrThrow({ where: { casinoId: casino.id } })
    const worker = await startProcess('worker', { ...env, SEED_ROTATE_AFTER_DRAWS: '10' })
    try {
      await eventually('the seed is retired', async () => {
        const seed = await database.serverSeed.findUniqueOrThrow({ where: { id: seedId ?? '' } })
        return seed.state === 'retired'
      })
    } finally {
      await worker.kill()
    }
  })

  const readActivity = async () => {
    const [row] = await database.$queryRaw<{ active: bigint; waiting: bigint }[]>`
      SELECT count(*) AS active, count(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`
    return { isActive: row?.active !== 0n, isWaiting: row?.waiting !== 0n }
  }
  /** Everything that an opening changes. */
  const readTraces = async () => {
    const where = { casinoId: casino.id }
    const [openings, prizes, keys, events] = await Promise.all([
      database.opening.count({ where }),
      database.prize.count({ where }),
      database.idempotencyRecord.count({ where }),
      database.event.count({ where }),
    ])
    const players = await database.player.findMany({ where })
    const grants = await database.grant.findMany({ where })
    const stocks = await database.boxStock.findMany({ where, orderBy: { position: 'asc' } })
    return { openings, prizes, keys, events, players, grants, stocks }
  }

  it('leave neither prize nor used entitlement when the process dies between draw and store', async () => {
    await factory.grant(casino.id, 'ann', boxId, 3)
    const first = await runApi()
    expect((await openBox(first, 'ann', 'before')).status).to.equal(200)
    const traces = await readTraces()
    expect(traces.grants.map((grant) => grant.used)).to.deep.equal([1])

    // The draw is decided. Storing it needs the lock on the player, which this test holds.
    const blocker = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await blocker.connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query('SELECT FROM player WHERE casino_id = $1 AND id = $2 FOR UPDATE', [
        casino.id,
        'ann',
      ])
      const pending = openBox(first, 'ann', 'fatal').then(
        () => 'answered',
        () => 'cut off',
      )
      await eventually('the opening waits for the player', async () => (await readActivity()).isWaiting)
      await killApi()
      expect(await pending).to.equal('cut off')
      await eventually('its statement has ended', async () => !(await readActivity()).isActive)
      await blocker.query('ROLLBACK')
    } finally {
      await blocker.end()
    }
    expect(await readTraces()).to.deep.equal(traces)

    const second = await runApi()
    const reply = await openBox(second, 'ann', 'fatal')
    expect(reply.status).to.equal(200)
    expect(reply.headers.get('idempotency-replayed')).to.equal(null)
    expect((reply.json as Opened).opening.nonce).to.equal(2)
    const after = await readTraces()
    expect(after.openings).to.equal(traces.openings + 1)
    expect(after.prizes).to.equal(traces.prizes + 1)
    expect(after.grants.map((grant) => grant.used)).to.deep.equal([2])
  })

  it('give the same prize again for the same idempotency key, also after a crash', async () => {
    await factory.grant(casino.id, 'ann', boxId, 3)
    const first = await runApi()
    const reply = await openBox(first, 'ann', 'one-key')
    expect(reply.status).to.equal(200)
    const traces = await readTraces()
    await killApi()
    const second = await runApi()
    const again = await Promise.all([openBox(second, 'ann', 'one-key'), openBox(second, 'ann', 'one-key')])
    for (const repeated of again) {
      expect(repeated.text).to.equal(reply.text)
      expect(repeated.headers.get('idempotency-replayed')).to.equal('true')
    }
    expect(await readTraces()).to.deep.equal(traces)
  })
})
