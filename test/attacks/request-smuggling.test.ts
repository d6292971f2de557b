import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import type { TestCasino } from '../support/factory.ts'
import { exchangeRaw, statusesOf } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('requests that two servers would read differently', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  /** A whole request that cashes a prize in, as a smuggler would hide it. */
  async function smuggled(): Promise<{ text: string; isCarriedOut: () => Promise<boolean> }> {
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = JSON.stringify({ player_id: playerId, prize_id: prizeId })
    const head = `POST /prize/cashback HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${casino.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    return {
      text: head + body,
      isCarriedOut: async () => (await service.database.cashback.count({ where: { prizeId } })) > 0,
    }
  }

  const post = (headers: string) => `POST /box/open HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

  /** First requests whose end is ambiguous, each followed by the second request. */
  const attacks: Record<string, (second: string) => string> = {
    'a length and chunks': (second) =>
      post('Content-Length: 6\r\nTransfer-Encoding: chunked') + '0\r\n\r\n' + second,
    'chunks and a length': (second) =>
      post('Transfer-Encoding: chunked\r\nContent-Length: 4') + '0\r\n\r\n' + second,
    'two lengths': (second) => post(`Content-Length: 0\r\nContent-Length: ${second.length}`) + second,
    'two lengths in one': (second) => post(`Content-Length: 0, ${second.length}`) + second,
    'the same length twice': (second) => post('Content-Length: 0\r\nContent-Length: 0') + second,
    'a length with a sign': (second) => post('Content-Length: +0') + second,
    'a negative length': (second) => post('Content-Length: -1') + second,
    'a length in hexadecimal': (second) => post('Content-Length: 0x0') + second,
    'a length with a blank in it': (second) => post('Content-Length: 0 0') + second,
    'a length beyond all numbers': (second) => post('Content-Length: 99999999999999999999999') + second,
    'an empty length': (second) => post('Content-Length:') + second,
    'a blank before the colon': (second) => post('Content-Length : 0') + second,
    'chunks with a blank before the colon': (second) =>
      post('Transfer-Encoding : chunked') + '0\r\n\r\n' + second,
    'chunks that are identity': (second) => post('Transfer-Encoding: identity') + second,
    'chunks twice': (second) =>
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity') + '0\r\n\r\n' + second,
    'chunks in quotes': (second) => post('Transfer-Encoding: "chunked"') + '0\r\n\r\n' + second,
    'chunks that are not last': (second) => post('Transfer-Encoding: chunked, gzip') + '0\r\n\r\n' + second,
    'chunks of another name': (second) => post('Transfer-Encoding: xchunked') + '0\r\n\r\n' + second,
    'chunks after a tab': (second) =>
      post('Transfer-Encoding:\tchunked\r\nContent-Length: 5') + '0\r\n\r\n' + second,
    'chunks after a vertical tab': (second) => post('Transfer-Encoding: \x0bchunked') + '0\r\n\r\n' + second,
    'chunks in a folded line': (second) =>
      post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5') + '0\r\n\r\n' + second,
    'chunks behind a bare line feed': (second) =>
      post('X: y\nTransfer-Encoding: chunked') + '0\r\n\r\n' + second,
    'chunks behind a bare return': (second) =>
      post('X: y\rTransfer-Encoding: chunked\r\nContent-Length: 0') + second,
    'a folded header': (second) => post('X: y\r\n z: Content-Length: 0') + second,
    'a line that is no header': (second) => post('no header at all') + second,
    'a NUL in a header': (second) => post('X: a\0b\r\nContent-Length: 0') + second,
    'a NUL in a name': (second) => post('X\0: a\r\nContent-Length: 0') + second,
    'line feeds only': (second) => `POST /box/open HTTP/1.1\nHost: x\nContent-Length: 0\n\n${second}`,
    'a chunk of no size': (second) => post('Transfer-Encoding: chunked') + '\r\n\r\n' + second,
    'a chunk of a size in no digits': (second) => post('Transfer-Encoding: chunked') + '0x0\r\n\r\n' + second,
    'a chunk of a negative size': (second) => post('Transfer-Encoding: chunked') + '-1\r\n\r\n' + second,
    'a chunk of a size beyond all numbers': (second) =>
      post('Transfer-Encoding: chunked') + 'fffffffffffffffff\r\n\r\n' + second,
    'a chunk with a bare line feed': (second) => post('Transfer-Encoding: chunked') + '0\n\n' + second,
    'a chunk that is longer than it says': (second) =>
      post('Transfer-Encoding: chunked') + '1\r\nab\r\n0\r\n\r\n' + second,
    'a chunk whose extension hides a line': (second) =>
      post('Transfer-Encoding: chunked') + `1;a=\n${'x'.repeat(3)}\r\nZ\r\n0\r\n\r\n` + second,
    'a version of the future': (second) =>
      `POST /box/open HTTP/2.0\r\nHost: x\r\nContent-Length: 0\r\n\r\n${second}`,
    'no version': (second) => `POST /box/open\r\nHost: x\r\n\r\n${second}`,
    'a method of two words': (second) => `POST X /box/open HTTP/1.1\r\nHost: x\r\n\r\n${second}`,
    'a blank in the path': (second) => `POST /box/open x HTTP/1.1\r\nHost: x\r\n\r\n${second}`,
    'the preface of HTTP/2': (second) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${second}`,
  }

  /** Requests that get 401 for the missing key in spite of the malformed part. It is the only answer. */
  const answeredBefore = ['a chunk that is longer than it says', 'a version of the future', 'no version']

  for (const [name, build] of Object.entries(attacks)) {
    it(`end the connection, and the bytes that follow are not carried out: ${name}`, async () => {
      const { text: second, isCarriedOut } = await smuggled()
      const { text, isClosed } = await exchangeRaw(service.url, [build(second)], { quietMs: 3_000 })
      expect(isClosed, text).to.equal(true)
      const isAnsweredBefore = answeredBefore.includes(name)
      expect(statusesOf(text), text).to.deep.equal([isAnsweredBefore ? 401 : 400])
      if (!isAnsweredBefore) {
        expect(text).to.contain('X-Error-Code: request_malformed').and.to.contain('Connection: close')
      }
      expect(await isCarriedOut()).to.equal(false)
    })
  }

  it('have a body that is read as a body, even if it looks like a request: in chunks, with a length, with a GET', async () => {
    const { text: second, isCarriedOut } = await smuggled()
    for (const [status, request] of [
      [401, post(`Content-Length: ${second.length}`) + second],
      [401, post('Transfer-Encoding: chunked') + chunk(second) + '0\r\n\r\n'],
      [
        401,
        post('Transfer-Encoding: cHuNkEd') + chunk(second) + '0\r\nX-Trailer: x\r\nContent-Length: 0\r\n\r\n',
      ],
      [200, `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${second.length}\r\n\r\n${second}`],
      [
        200,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(second)}0\r\n\r\n`,
      ],
      [200, `HEAD /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${second.length}\r\n\r\n${second}`],
    ] as const) {
      const { text } = await exchangeRaw(service.url, [request], { quietMs: 300 })
      expect(statusesOf(text), request.slice(0, 80)).to.deep.equal([status])
    }
    expect(await isCarriedOut()).to.equal(false)
  })

  it('end the connection when a body is refused unread, so that the rest of it is not read as a request', async () => {
    const { text: second, isCarriedOut } = await smuggled()
    const huge = `POST /box/open HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${casino.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n`
    const { text, isClosed } = await exchangeRaw(service.url, [huge, second], { quietMs: 3_000 })
    expect([isClosed, statusesOf(text)], text).to.deep.equal([true, [413]])
    const chunked = huge.replace('Content-Length: 9999999', 'Transfer-Encoding: chunked')
    const streamed = await exchangeRaw(service.url, [chunked, chunk(' '.repeat(100_000)), second], {
      quietMs: 3_000,
    })
    expect(statusesOf(streamed.text).slice(0, 1), streamed.text).to.deep.equal([413])
    expect(statusesOf(streamed.text)).to.have.length(1)
    expect(await isCarriedOut()).to.equal(false)
  })

  it('are answered in order when there are many on one connection, each once', async () => {
    const wanted = await Promise.all(Array.from({ length: 20 }, () => smuggled()))
    const lines = wanted.flatMap(({ text }, index) => [
      text,
      `GET /nowhere-${index} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ])
    const { text } = await exchangeRaw(service.url, [lines.join('')], { quietMs: 2_000 })
    expect(statusesOf(text)).to.deep.equal(wanted.flatMap(() => [200, 404]))
    for (const { isCarriedOut } of wanted) expect(await isCarriedOut()).to.equal(true)
  })

  it('are not carried out after a malformed one, however many there are', async () => {
    const first = await smuggled()
    const last = await smuggled()
    const bad = post('Content-Length: 1\r\nContent-Length: 2') + 'ab'
    const { isClosed } = await exchangeRaw(service.url, [first.text + bad + last.text], { quietMs: 3_000 })
    expect(isClosed).to.equal(true)
    expect([await first.isCarriedOut(), await last.isCarriedOut()]).to.deep.equal([true, false])
  })

  it('reach only the service’s own paths: no URL is fetched, and Host has no effect', async () => {
    for (const [status, line] of [
      [302, 'GET http://127.0.0.1:1/ HTTP/1.1'],
      [404, 'GET http://127.0.0.1:1/unknown HTTP/1.1'],
      [200, 'GET https://elsewhere.example/healthz HTTP/1.1'],
      [404, 'GET //elsewhere.example/healthz HTTP/1.1'],
      [404, 'CONNECT 127.0.0.1:1 HTTP/1.1'],
      [404, 'OPTIONS * HTTP/1.1'],
      [200, 'GET /healthz HTTP/1.1'],
    ] as const) {
      const { text } = await exchangeRaw(
        service.url,
        [`${line}\r\nHost: elsewhere.example\r\nX-Forwarded-Host: evil.example\r\n\r\n`],
        {
          quietMs: 300,
        },
      )
      expect(statusesOf(text), line).to.deep.equal([status])
      expect(text, line).not.to.match(/elsewhere|evil|127\.0\.0\.1/)
    }
  })
})
