import { connect } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import { createClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { adminApiKey, createTestEnv } from '../support/config.ts'
import type { Env } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { createFactory } from '../support/factory.ts'
import type { Factory } from '../support/factory.ts'
import { openDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { readConfig } from '../../core/platform/config.ts'
import { startProcess } from '../support/processes.ts'
import type { ServiceProcess } from '../support/processes.ts'

/** Sends keys wherever callers put them by mistake, and looks for them wherever the service writes. */
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

  before(async () => {
    env = await createTestEnv('postgres')
    const { hashSecret } = readConfig(env)
    const { database, close } = openDatabase({
      url: env['DATABASE_URL'] ?? '',
      poolMax: 3,
      log: createLogger('test', 'silent'),
    })
    closeDatabase = close
    factory = createFactory(database, hashSecret)
    const casino = await factory.casino()
    casinoId = casino.id
    apiKey = casino.apiKey
    api = await startProcess('api', env, 'trace')
    client = createClient(api.url)
  })
  after(async () => {
    await api.terminate()
    await closeDatabase()
  })

  const secretOf = (key: string) => key.slice(-38)
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

  it('is refused in a URL, however it is written, and whatever else comes with it', async () => {
    const escaped = apiKey.replaceAll('_', '%5F')
    const urls = [
      `/box/open?api_key=${apiKey}`,
      `/box/open?${escaped}`,
      `/boxes?player_id=${apiKey}`,
      `/boxes/${apiKey}`,
      `/admin/casinos/${apiKey}`,
      `/admin/casinos/${casinoId}/items/${escaped}`,
      `/${apiKey}`,
      `/healthz?key=${apiKey}`,
      `/unknown/%zz/${apiKey}`,
    ]
    for (const url of urls) {
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
    const keyId = apiKey.slice(8, 24)
    expect(api.lines.some((line) => line.includes('sent in a URL') && line.includes(keyId))).to.equal(true)
  })

  it('may be anywhere else by mistake', async () => {
    const authorization = { ...json, Authorization: `Bearer ${apiKey}` }
    const mistakes: [string, Record<string, string>, string?][] = [
      ['/box/open', { ...json, 'X-Api-Key': apiKey }, '{}'],
      ['/box/open', { ...json, Cookie: `key=${apiKey}` }, '{}'],
      ['/box/open', { ...json, Authorization: apiKey }, '{}'],
      ['/box/open', { ...json, Authorization: `Basic ${apiKey}` }, '{}'],
      ['/box/open', { ...json, Authorization: `Bearer ${apiKey} ${apiKey}` }, '{}'],
      ['/box/open', { ...json, Authorization: `Bearer ${apiKey}x` }, '{}'],
      ['/box/open', { ...authorization, 'X-Request-Id': apiKey }, '{}'],
      ['/box/open', { ...authorization, 'X-Forwarded-For': apiKey, Referer: `http://x/?${apiKey}` }, '{}'],
      ['/box/open', { ...authorization, 'Content-Type': apiKey }, '{}'],
      ['/box/open', { ...authorization, 'Content-Encoding': apiKey }, '{}'],
      ['/box/open', authorization, `{"player_id":"p","box_id":"${apiKey}"}`],
      ['/box/open', authorization, `{"player_id":"p","box_id":"b","${apiKey}":"${apiKey}"}`],
      [
        '/prize/order',
        authorization,
        `{"player_id":{"${apiKey}":1},"prize_id":["${apiKey}"],"email":"${apiKey}"}`,
      ],
      ['/prize/order', authorization, `{"${apiKey}`],
      ['/prize/cashback', authorization, apiKey],
      [
        '/box/open',
        { ...authorization, 'Idempotency-Key': `${apiKey} ${apiKey}` },
        '{"player_id":"p","box_id":"b"}',
      ],
      ['/ops/login', { 'Content-Type': 'application/x-www-form-urlencoded' }, `key=${apiKey}`],
      [`/admin/casinos/${casinoId}/items`, authorization, '{}'],
      [`/admin/casinos/${casinoId}/grants`, authorization, `{"grants":[{"player_id":["${apiKey}"]}]}`],
      [
        `/admin/casinos/${casinoId}/api-keys`,
        authorization,
        `{"allowed_addresses":["${apiKey}"],"scopes":["${apiKey}"]}`,
      ],
    ]
    for (const [path, headers, body] of mistakes) {
      const { status } = await send('POST', path, headers, body)
      expect(status, `${path} ${JSON.stringify(headers)} ${body ?? ''}`).to.be.within(400, 499)
    }
    answers.push(await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\n${apiKey} : x\r\n\r\n`))
    answers.push(await sendRaw(`${apiKey}\r\n\r\n`))
    answers.push(await sendRaw(`GET /${apiKey} HTTP/9.9\r\n\r\n`))
    expect(await send('GET', '/metrics')).to.include({ status: 200 })
  })

  it('is refused where it would be stored', async () => {
    const authorization = { ...json, Authorization: `Bearer ${apiKey}` }
    const delivery = { recipient_name: 'A', street: 'S', city: 'C', postal_code: '1', country: 'MT' }
    const ids = { player_id: 'p', prize_id: 'z', box_id: 'b' }
    const withKey = { ...authorization, 'Idempotency-Key': apiKey }
    const quoted = { ...authorization, 'Idempotency-Key': `"2026-${apiKey}"` }
    const cutOff = { ...authorization, 'Idempotency-Key': apiKey.slice(0, -1) }
    const item = { name: 'Mug', kind: 'physical' }
    const admin = `/admin/casinos/${casinoId}`
    const mistakes: [string, string, Record<string, string>, object][] = [
      ...[withKey, quoted, cutOff].flatMap((headers) =>
        ['/box/open', '/prize/order', '/prize/cashback'].map(
          (path): [string, string, Record<string, string>, object] => [
            'POST',
            path,
            headers,
            { ...ids, ...delivery },
          ],
        ),
      ),
      ['POST', '/box/open', authorization, { ...ids, player_id: `x${apiKey}` }],
      ['POST', '/prize/order', authorization, { ...ids, ...delivery, additional_notes: `key: ${apiKey}` }],
      ['PUT', '/fairness/players/p/client-seed', authorization, { client_seed: apiKey }],
      ['PUT', `${admin}/items/mug`, authorization, { ...item, name: apiKey }],
      [
        'POST',
        `${admin}/grants`,
        authorization,
        { grants: [{ grant_id: 'g', player_id: apiKey, box_id: 'b', count: 1 }] },
      ],
      ['POST', `${admin}/prizes`, authorization, { player_id: 'p', item_id: 'mug', prize_id: apiKey }],
      [
        'PUT',
        `${admin}/settings/wallet`,
        authorization,
        { kind: 'http', url: `https://wallet.example/?key=${apiKey}` },
      ],
      [
        'PUT',
        `${admin}/webhook-endpoints/w`,
        authorization,
        { url: `https://x.example/${apiKey}`, event_types: ['prize.won'] },
      ],
      ['POST', `${admin}/players/p/erase`, authorization, { reason: apiKey }],
    ]
    for (const [method, path, headers, body] of mistakes) {
      const reply = await send(method, path, headers, JSON.stringify(body))
      expect(reply, `${method} ${path} ${JSON.stringify(body)}`).to.deep.equal({
        status: 400,
        code: 'api_key_misplaced',
      })
    }
    // An item's input has no reason, so this one is ignored. But the audit trail takes the reason of any body.
    const ignored = JSON.stringify({ ...item, reason: `by ${apiKey}` })
    expect(await send('PUT', `${admin}/items/mug`, authorization, ignored)).to.include({ status: 200 })
  })

  it('is not even in the log when the database fails', async () => {
    const postgres = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await postgres.connect()
    try {
      await postgres.query('ALTER TABLE api_key RENAME TO api_key_away')
      // Until the key is no longer remembered and has to be looked up.
      await eventually('the look-up fails', async () => {
        const { status } = await send(
          'POST',
          '/box/open',
          { ...json, Authorization: `Bearer ${apiKey}` },
          '{}',
        )
        return status === 500
      })
    } finally {
      await postgres.query('ALTER TABLE api_key_away RENAME TO api_key')
      await postgres.end()
    }
  })

  it('is in no answer, no log line and no metric after all that', () => {
    const secret = secretOf(apiKey)
    expect(answers.length).to.be.greaterThan(60)
    expect(answers.filter((answer) => answer.includes(secret))).to.deep.equal([])
    expect(api.lines.filter((line) => line.includes(secret))).to.deep.equal([])
    // The log did see these requests.
    expect(api.lines.filter((line) => line.includes('"msg":"request"')).length).to.be.greaterThan(60)
    expect(api.lines.some((line) => line.includes('"msg":"request failed"'))).to.equal(true)
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
        const { rows } = await postgres.query(`SELECT 1 FROM "${name}" AS t WHERE t::text LIKE $1`, [
          `%${secretOf(apiKey)}%`,
        ])
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
