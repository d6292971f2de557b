import { connect } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory } from '../../support/factory.ts'
import type { Factory } from '../../support/factory.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'

const requestFailed = '"msg":"request failed"'

/** Sends keys in every place where callers put them by mistake, and looks for them in all that the service writes. */
describe('an API key', function () {
  this.timeout(60_000)
  let env: Env
  let api: ServiceProcess
  let client: Client
  let factory: Factory
  let closeDatabase: () => Promise<void>
  let apiKey: string
  let casinoId: string
  /** Everything that the service has answered, headers and all. */
  const answers: string[] = []

  const atEnd = atEndOfSuite()
  before(async () => {
    env = await createTestEnv('postgres')
    const { hashSecret } = readConfig(env)
    const { database, close } = openDatabase({
      url: env['DATABASE_URL'] ?? '',
      poolMax: 3,
      log: createLogger('test', 'silent'),
    })
    closeDatabase = close
    atEnd(() => closeDatabase())
    factory = createFactory(database, hashSecret)
    const casino = await factory.casino()
    casinoId = casino.id
    apiKey = casino.apiKey
    api = await startProcess('api', env, { logLevel: 'trace' })
    atEnd(() => api.terminate())
    client = createClient(api.url)
  })

  /** The keys that must never be shown: a casino's, except for its id, and the admin's. */
  const keys = () => ({ casino: apiKey, admin: adminApiKey })
  const secrets = () => [apiKey.slice(-38), adminApiKey]
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<{ status: number; code: string | null }> => {
    const init = body === undefined ? { headers } : { headers, body }
    const reply = await client.send(method, path, init)
    answers.push(JSON.stringify([...reply.headers]) + reply.text)
    return { status: reply.status, code: reply.headers.get('X-Error-Code') }
  }
  const json = { 'Content-Type': 'application/json' }

  it('is refused in a URL, in any spelling, and with any other parameters', async () => {
    const urlsWith = (key: string) => {
      const escaped = key.replaceAll(/[_-]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
      const twice = escaped.replaceAll('%', '%25')
      return [
        ...[key, escaped, twice, twice.replaceAll('%', '%25'), escaped.replaceAll('%', '%2%35')].flatMap(
          (text) => [
            `/boxes?player_id=${text}`,
            `/admin/casinos?x=%zz&key=${text}`,
            `/ops/login?key=${text}`,
          ],
        ),
        `/box/open?api_key=${key}`,
        `/box/open?${escaped}`,
        `/boxes?x=%zz&player_id=${escaped}`,
        `/boxes/${key}`,
        `/admin/casinos/${key}`,
        `/admin/casinos/${casinoId}/items/${escaped}`,
        `/${key}`,
        `/healthz?key=${key}`,
        `/unknown/%zz/${key}`,
        `/ops?${escaped}`,
        `/ops/queues?key=${key}`,
        `/ops/queues/api/queues?x=%zz&key=${escaped}`,
        `/ops/queues/queue/${key}`,
        `/ops/unknown/${escaped}`,
      ]
    }
    for (const url of Object.values(keys()).flatMap(urlsWith)) {
      for (const headers of [
        {},
        { Authorization: `Bearer ${apiKey}` },
        { Authorization: `Bearer ${adminApiKey}` },
      ]) {
        for (const method of ['GET', 'POST']) {
          const { status, code } = await send(method, url, headers)
          expect([status, code], `${method} ${url}`).to.deep.equal([401, 'api_key_in_url'])
        }
      }
    }
    for (const keyId of [apiKey.slice(8, 24), 'admin']) {
      const isTold = (line: string) => line.includes('sent in a URL') && line.includes(`"keyId":"${keyId}"`)
      expect(api.lines.some(isTold), keyId).to.equal(true)
    }
  })

  it('causes an ordinary 4xx in any other place in which it would not be stored', async () => {
    const authorization = { ...json, Authorization: `Bearer ${apiKey}` }
    const mistakesWith = (key: string): [string, Record<string, string>, string?][] => [
      ['/box/open', { ...json, 'X-Api-Key': key }, '{}'],
      ['/box/open', { ...json, Cookie: `key=${key}` }, '{}'],
      ['/box/open', { ...json, Authorization: key }, '{}'],
      ['/box/open', { ...json, Authorization: `Basic ${key}` }, '{}'],
      ['/box/open', { ...json, Authorization: `Bearer ${key} ${key}` }, '{}'],
      ['/box/open', { ...json, Authorization: `Bearer ${key}x` }, '{}'],
      ['/box/open', { ...authorization, 'X-Request-Id': key }, '{}'],
      ['/box/open', { ...authorization, 'X-Forwarded-For': key, Referer: `http://x/?${key}` }, '{}'],
      ['/box/open', { ...authorization, 'Content-Type': key }, '{}'],
      ['/box/open', { ...authorization, 'Content-Encoding': key }, '{}'],
      ['/box/open', authorization, `{"player_id":"p","box_id":"${key}"}`],
      ['/box/open', authorization, `{"player_id":"p","box_id":"b","${key}":"${key}"}`],
      ['/prize/order', authorization, `{"player_id":{"${key}":1},"prize_id":["${key}"],"email":"${key}"}`],
      ['/prize/order', authorization, `{"${key}`],
      ['/prize/cashback', authorization, key],
      [
        '/box/open',
        { ...authorization, 'Idempotency-Key': `${key} ${key}` },
        '{"player_id":"p","box_id":"b"}',
      ],
      ['/ops/login', { 'Content-Type': 'application/x-www-form-urlencoded' }, `key=${key}x`],
      [`/admin/casinos/${casinoId}/items`, authorization, '{}'],
      [`/admin/casinos/${casinoId}/grants`, authorization, `{"grants":[{"player_id":["${key}"]}]}`],
      [
        `/admin/casinos/${casinoId}/api-keys`,
        authorization,
        `{"allowed_addresses":["${key}"],"scopes":["${key}"]}`,
      ],
    ]
    for (const [path, headers, body] of Object.values(keys()).flatMap(mistakesWith)) {
      const { status } = await send('POST', path, headers, body)
      expect(status, `${path} ${JSON.stringify(headers)} ${body ?? ''}`).to.be.within(400, 499)
    }
    for (const key of Object.values(keys())) {
      answers.push(await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\n${key} : x\r\n\r\n`))
      answers.push(await sendRaw(`${key}\r\n\r\n`))
      answers.push(await sendRaw(`GET /${key} HTTP/9.9\r\n\r\n`))
    }
    expect(await send('GET', '/metrics')).to.include({ status: 200 })
  })

  it('is refused where it would be stored', async () => {
    const authorization = { ...json, Authorization: `Bearer ${apiKey}` }
    const delivery = { recipient_name: 'A', street: 'S', city: 'C', postal_code: '1', country: 'MT' }
    const ids = { player_id: 'p', prize_id: 'z', box_id: 'b' }
    const item = { name: 'Mug', kind: 'physical' }
    const admin = `/admin/casinos/${casinoId}`
    const headersWith = (idempotencyKey: string) => ({ ...authorization, 'Idempotency-Key': idempotencyKey })
    const mistakesWith = (key: string): [string, string, Record<string, string>, object][] => [
      ...[
        headersWith(key),
        headersWith(`"2026-${key}"`),
        ...(key === apiKey ? [headersWith(key.slice(0, -1))] : []),
      ].flatMap((headers) =>
        ['/box/open', '/prize/order', '/prize/cashback'].map(
          (path): [string, string, Record<string, string>, object] => [
            'POST',
            path,
            headers,
            { ...ids, ...delivery },
          ],
        ),
      ),
      ['POST', '/box/open', authorization, { ...ids, player_id: `x${key}` }],
      ['POST', '/prize/order', authorization, { ...ids, ...delivery, additional_notes: `key: ${key}` }],
      ['PUT', '/fairness/players/p/client-seed', authorization, { client_seed: key }],
      ['PUT', `${admin}/items/mug`, authorization, { ...item, name: key }],
      [
        'POST',
        `${admin}/grants`,
        authorization,
        { grants: [{ grant_id: 'g', player_id: key, box_id: 'b', count: 1 }] },
      ],
      ['POST', `${admin}/prizes`, authorization, { player_id: 'p', item_id: 'mug', prize_id: key }],
      [
        'PUT',
        `${admin}/settings/wallet`,
        authorization,
        { kind: 'http', url: `https://wallet.example/?key=${key}` },
      ],
      [
        'PUT',
        `${admin}/webhook-endpoints/w`,
        authorization,
        { url: `https://x.example/${key}`, event_types: ['prize.won'] },
      ],
      ['POST', `${admin}/players/p/erase`, authorization, { reason: key }],
    ]
    for (const [method, path, headers, body] of Object.values(keys()).flatMap(mistakesWith)) {
      const reply = await send(method, path, headers, JSON.stringify(body))
      expect(reply, `${method} ${path} ${JSON.stringify(body)}`).to.deep.equal({
        status: 400,
        code: 'api_key_misplaced',
      })
    }
    // An item's input has no reason, so this one is ignored. But the audit trail takes the reason of any body.
    for (const key of Object.values(keys())) {
      const ignored = JSON.stringify({ ...item, reason: `by ${key}` })
      expect(await send('PUT', `${admin}/items/mug`, authorization, ignored)).to.include({ status: 200 })
    }
  })

  it('stays out of the log when the database fails', async () => {
    const postgres = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await postgres.connect()
    try {
      await postgres.query('ALTER TABLE api_key RENAME TO api_key_away')
      // Repeat it until the key is out of the cache and must be looked up.
      await eventually('the look-up fails and is logged', async () => {
        const { status } = await send(
          'POST',
          '/box/open',
          { ...json, Authorization: `Bearer ${apiKey}` },
          '{}',
        )
        // The answer may arrive before the line of the log.
        return status === 500 && api.lines.some((line) => line.includes(requestFailed))
      })
    } finally {
      await postgres.query('ALTER TABLE api_key_away RENAME TO api_key')
      await postgres.end()
    }
  })

  it('is in no answer, no log line and no metric after all that', () => {
    expect(answers.length).to.be.greaterThan(60)
    for (const secret of secrets()) {
      expect(answers.filter((answer) => answer.includes(secret))).to.deep.equal([])
      expect(api.lines.filter((line) => line.includes(secret))).to.deep.equal([])
    }
    // The log did see these requests.
    expect(api.lines.filter((line) => line.includes('"msg":"request"')).length).to.be.greaterThan(60)
    expect(api.lines.some((line) => line.includes(requestFailed))).to.equal(true)
  })

  it('is in no table of the database', async () => {
    const postgres = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await postgres.connect()
    try {
      const { rows: tables } = await postgres.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
      )
      expect(tables.length).to.be.greaterThan(10)
      for (const { name } of tables) {
        const { rows } = await postgres.query(
          `SELECT 1 FROM "${name}" AS t WHERE EXISTS (SELECT FROM unnest($1::text[]) AS s WHERE t::text LIKE s)`,
          [secrets().map((secret) => `%${secret}%`)],
        )
        expect(rows, name).to.deep.equal([])
      }
    } finally {
      await postgres.end()
    }
  })

  function sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url)
      const socket = connect({ host: hostname, port: Number(port) })
      let answer = ''
      socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
      socket.on('data', (data) => {
        answer += data.toString('latin1')
      })
      socket.on('close', () => {
        resolve(answer)
      })
      socket.on('error', reject)
      socket.write(text)
    })
  }
})
