import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { packBrotli } from '../support/brotli.ts'
import type { TestCasino } from '../support/factory.ts'
import { openRaw } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { itInLongForm } from '../support/runs.ts'

/** The processor time that an answer may take: to refuse costs less than to read. */
const boundMs = 2_000

/** The processor time of this process, which includes the service; a busy machine does not add to it. */
function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

describe('bodies and headers that expand when they are read', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  const send = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const startedMs = workedMs()
    const reply = await service.client.send('POST', path, {
      headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json', ...headers },
      body,
    })
    return { status: reply.status, text: reply.text, tookMs: workedMs() - startedMs }
  }
  const paths = () => ['/box/open', '/prize/order', `/admin/casinos/${casino.id}/grants`]
  const repeated = (unit: string, count: number) => unit.repeat(count)

  it('are read no further than the limit, in any encoding', async () => {
    const json = `{"player_id":"${repeated('x', 60_000_000)}"}`
    const bombs: [string, Uint8Array][] = [
      ['gzip', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', packBrotli(json)],
      ['gzip', gzipSync(gzipSync(json))],
    ]
    const before = process.memoryUsage().rss
    for (const path of paths()) {
      for (const [encoding, bomb] of bombs) {
        const { status, tookMs } = await send(path, bomb, { 'Content-Encoding': encoding })
        expect(status, `${path} ${encoding}`).to.be.oneOf([400, 413])
        expect(tookMs, `${path} ${encoding}`).to.be.lessThan(boundMs)
      }
      for (const encoding of ['gzip, gzip', 'zstd', 'compress', 'x-gzip', 'identity, br']) {
        expect((await send(path, gzipSync('{}'), { 'Content-Encoding': encoding })).status).to.be.oneOf([
          400, 413,
        ])
      }
    }
    expect(process.memoryUsage().rss - before).to.be.lessThan(100_000_000)
  })

  it('are refused quickly with any JSON inside, and are not repeated at length', async () => {
    const bombs: Record<string, string> = {
      'arrays in arrays': repeated('[', 100_000),
      'closed arrays': repeated('[', 30_000) + repeated(']', 30_000),
      'objects in objects': repeated('{"a":', 12_000) + '1' + repeated('}', 12_000),
      'a huge array': `{"player_id":[${repeated('1,', 30_000)}1]}`,
      'a list of nothing': `{"grants":[${repeated('{},', 300_000)}{}]}`,
      'a list of nulls': `{"grants":[${repeated('null,', 190_000)}null]}`,
      'a huge number': `{"player_id":${repeated('9', 60_000)},"box_id":1e${repeated('9', 1_000)}}`,
      'a huge exponent': '{"player_id":1e999999999,"box_id":-1e999999999}',
      'a long key': `{"${repeated('k', 60_000)}":1}`,
      'one key many times': `{${repeated('"player_id":1,', 4_000)}"player_id":[]}`,
      'many keys': `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join()}}`,
      'keys that are numbers': `{${Array.from({ length: 5_000 }, (_, index) => `"${index * 65_536}":1`).join()}}`,
      'keys of one hash in others': `{${Array.from({ length: 4_096 }, (_, index) => `"${collidingKey(index)}":1`).join()}}`,
      'escapes only': `{"player_id":"${repeated('\\u0041', 10_000)}"}`,
      'an escape without an end': `{"player_id":"${repeated('\\', 60_000)}`,
      'quotes only': repeated('"', 60_000),
      'blanks only': repeated(' ', 60_000),
    }
    for (const path of paths()) {
      for (const [name, bomb] of Object.entries(bombs)) {
        const { status, text, tookMs } = await send(path, bomb)
        expect(status, `${path} ${name}`).to.be.oneOf([400, 413])
        expect(text.length, `${path} ${name}`).to.be.lessThan(2_000)
        expect(tookMs, `${path} ${name}`).to.be.lessThan(boundMs)
      }
    }
  })

  it('are refused quickly where a list is expected, with any contents and of any length', async () => {
    const manage = await service.factory.apiKey(casino.id, ['manage'])
    const lists: Record<string, string> = {
      numbers: repeated('1,', 400_000),
      'different texts': Array.from({ length: 80_000 }, (_, index) => `"${index}",`).join(''),
      'texts within the bound of a body': Array.from({ length: 9_000 }, (_, index) => `"${index}",`).join(''),
      lists: repeated('[],', 300_000),
      objects: repeated('{},', 300_000),
      'an object of many names': `{${Array.from({ length: 9_000 }, (_, index) => `"k${index}":1`).join()}},`,
    }
    const own = `/admin/casinos/${casino.id}`
    const endpoint = `{"url":"https://example.com/"`
    for (const [method, path, head] of [
      ['POST', `${own}/api-keys`, '{"scopes":['],
      ['POST', `${own}/api-keys`, '{"allowed_addresses":['],
      ['PUT', `${own}/webhook-endpoints/main`, `${endpoint},"event_types":[`],
      ['PUT', `${own}/boxes/bomb`, '{"name":"Bomb","access":"open","entries":['],
      ['POST', `${own}/grants`, '{"grants":['],
      ['PUT', `${own}/settings/reminders`, '{"after_hours":['],
    ] as const) {
      for (const [name, list] of Object.entries(lists)) {
        const startedMs = workedMs()
        const reply = await service.client.send(method, path, {
          headers: { Authorization: `Bearer ${manage}`, 'Content-Type': 'application/json' },
          body: `${head}${list}null]}`,
        })
        expect(reply.status, `${path} ${head} ${name}`).to.be.oneOf([400, 413])
        expect(reply.text.length, `${path} ${head} ${name}`).to.be.lessThan(2_000)
        expect(workedMs() - startedMs, `${path} ${head} ${name}`).to.be.lessThan(boundMs)
      }
    }
  })

  itInLongForm('are read quickly as a query of thousands of names, by anyone and by operators', async () => {
    const manage = await service.factory.apiKey(casino.id, ['manage'])
    const queries = {
      'different names': Array.from({ length: 2_500 }, (_, index) => index.toString(36)).join('&'),
      'the same names, twice each': Array.from({ length: 3_000 }, (_, index) =>
        (index >> 1).toString(36),
      ).join('&'),
      'one name': repeated('a&', 7_000),
    }
    for (const [name, query] of Object.entries(queries)) {
      for (const [path, status] of [
        ['/readyz', 200],
        [`/admin/casinos/${casino.id}/orders`, 400],
      ] as const) {
        const startedMs = workedMs()
        for (let round = 0; round < 80; round++) {
          const headers = { Authorization: `Bearer ${manage}` }
          const reply = await service.client.send('GET', `${path}?${query}`, { headers })
          expect(reply.status, `${path} ${name}`).to.equal(status)
          expect(reply.text.length, `${path} ${name}`).to.be.lessThan(10_000)
        }
        expect(workedMs() - startedMs, `eighty times ${path} ${name}`).to.be.lessThan(boundMs)
      }
    }
  })

  it('are refused by their header section: many headers, long ones, repeated ones', async () => {
    const flood = (lines: string[]) => `GET /healthz HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`
    for (const [lines, status] of [
      [Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1`), 431],
      [Array.from({ length: 100_000 }, () => 'A: b'), 431],
      [[`Cookie: ${repeated('a=b; ', 10_000)}`], 431],
      [[`X: ${repeated('y', 20_000)}`], 431],
      [Array.from({ length: 900 }, () => 'A: b'), 200], // Node 26 refuses more than 1,000 itself
    ] as const) {
      const answer = await firstAnswer(flood([...lines]))
      expect(answer, `${lines.length} headers`).to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
  })

  it('do not delay other callers', async () => {
    const bomb = gzipSync(repeated(' ', 60_000_000))
    const attacks = Array.from({ length: 40 }, () =>
      send('/prize/order', bomb, { 'Content-Encoding': 'gzip' }),
    )
    const waits: number[] = []
    for (let round = 0; round < 10; round++) {
      const startedMs = workedMs()
      expect((await service.client.send('GET', '/healthz')).status).to.equal(200)
      waits.push(workedMs() - startedMs)
    }
    for (const { status } of await Promise.all(attacks)) expect(status).to.be.oneOf([400, 413])
    expect(Math.max(...waits)).to.be.lessThan(boundMs)
  })

  /** The beginning of the answer, as soon as it arrives. */
  function firstAnswer(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = openRaw(service.url)
      socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
      socket.once('data', (data) => {
        resolve(data.toString('latin1'))
        socket.destroy()
      })
      socket.on('error', reject)
      socket.write(text)
    })
  }
})

/** A key made of `Aa` and `BB`, which have the same hash in many languages. */
function collidingKey(index: number): string {
  return Array.from({ length: 12 }, (_, bit) => ((index >> bit) & 1 ? 'Aa' : 'BB')).join('')
}
