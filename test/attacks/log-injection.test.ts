import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { createTestEnv } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { exchangeRaw, statusesOf } from '../support/raw-http.ts'
import { startProcess } from '../support/processes.ts'
import type { ServiceProcess } from '../support/processes.ts'

/** Texts that would end a line, begin another, colour the terminal, or look like one of the service's records. */
const payloads = [
  'x\n{"level":"fatal","msg":"forged"}',
  'x\r\n{"level":"fatal","msg":"forged"}',
  '{"level":"fatal","msg":"forged"}',
  '","level":"fatal","msg":"forged","x":"',
  '\u001b[31mforged\u001b[2J',
  '\u2028{"level":"fatal","msg":"forged"}',
  '\u0085forged\u009b31m',
  '%0d%0aforged',
  '${jndi:ldap://forged.example/x}',
]
const headerNames = [
  'X-Request-Id',
  'User-Agent',
  'X-Forwarded-For',
  'Authorization',
  'Idempotency-Key',
  'Referer',
  'Cookie',
  'Host',
]

describe('text from callers', function () {
  this.timeout(60_000)
  let api: ServiceProcess

  const atEnd = atEndOfSuite()
  before(async () => {
    api = await startProcess('api', await createTestEnv('postgres', { TRUST_PROXY: 'true' }), {
      logLevel: 'trace',
    })
    atEnd(() => api.kill())
  })

  it('forges no line of the log, and every line is one JSON object', async () => {
    const before = api.lines.length
    let sent = 0
    for (const payload of payloads) {
      const inHeader = Buffer.from(payload, 'utf8')
        .toString('latin1')
        .replaceAll(/[\r\n]/g, ' ')
      const escaped = encodeURIComponent(payload)
      const body = JSON.stringify({ player_id: payload, box_id: payload, name: payload, reason: payload })
      for (const name of headerNames) {
        await raw(`GET /healthz HTTP/1.1\r\n${name}: ${inHeader}\r\nConnection: close\r\n\r\n`)
        sent++
      }
      for (const path of [
        `/boxes/${escaped}`,
        `/${escaped}`,
        `/healthz?x=${escaped}`,
        `/admin/casinos/${escaped}`,
        `/ops/${escaped}`,
      ]) {
        await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
        sent++
      }
      await raw(
        `POST /box/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
        Buffer.from(body),
      )
      const form = `key=${escaped}`
      await raw(
        `POST /ops/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      )
      sent += 2
    }
    await eventually('every request is in the log', () => api.lines.length >= before + sent)
    const lines = api.lines.slice(before)
    for (const line of lines) {
      const record = JSON.parse(line) as Record<string, unknown>
      expect(record['level'], line).to.be.oneOf(['trace', 'debug', 'info', 'warn'])
      expect(line).not.to.contain('forged')
      expect(line).not.to.match(/[^\x20-\x7e]/)
    }
  })

  it('sets no header of an answer, from any header, path or body', async () => {
    const evil = 'x%0d%0aX-Injected:%201'
    for (const request of [
      `GET /healthz HTTP/1.1\r\nX-Request-Id: ${evil}\r\n`,
      `GET /healthz HTTP/1.1\r\nX-Request-Id: x\rX-Injected: 1\r\n`,
      `GET /healthz HTTP/1.1\r\nX-Request-Id: x\nX-Injected: 1\r\n`,
      `POST /box/open HTTP/1.1\r\nIdempotency-Key: ${evil}\r\nContent-Length: 0\r\n`,
      `POST /box/open HTTP/1.1\r\nIdempotency-Key: x\rX-Injected: 1\r\nContent-Length: 0\r\n`,
      `GET /${evil} HTTP/1.1\r\n`,
      `GET /ops/${evil} HTTP/1.1\r\n`,
      `GET /ops/queues?next=${evil} HTTP/1.1\r\n`,
      `GET /ops/login HTTP/1.1\r\nX-Forwarded-Host: ${evil}\r\nX-Forwarded-Proto: ${evil}\r\n`,
      `GET /ops HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n`,
    ]) {
      const { text } = await raw(`${request}Connection: close\r\n\r\n`)
      expect(statusesOf(text), request).to.have.length(1)
      const [head = ''] = text.split('\r\n\r\n')
      expect(head, request).not.to.match(/^X-Injected/im)
      expect(head, request).not.to.match(/\r(?!\n)|(?<!\r)\n/)
      expect(text, request).not.to.contain('evil.example')
    }
  })

  it('comes back in no answer as a page or a script: only the service’s own pages are HTML', async () => {
    const script = '<script>alert(1)</script>'
    for (const path of [
      `/${script}`,
      `/boxes/${script}`,
      `/healthz?x=${script}`,
      `/ops/${script}`,
      `/ops/login?error=${script}`,
    ]) {
      const response = await fetch(api.url + encodeURI(path), {
        redirect: 'manual',
        headers: { 'X-Request-Id': script },
      })
      const text = await response.text()
      expect(text, path).not.to.contain('<script>alert')
      expect(response.headers.get('X-Content-Type-Options'), path).to.equal('nosniff')
      expect(response.headers.get('X-Request-Id'), path).not.to.contain('<')
    }
  })

  const raw = (...pieces: (string | Buffer)[]) => exchangeRaw(api.url, pieces, { quietMs: 3_000 })
})
