import { expect } from 'chai'
import { checkReply } from './check-reply.ts'
import type { Reply } from './client.ts'

/** An answer to `POST /prize/cashback`, documented unless something is said. */
function replyWith({
  status = 200,
  json = { status: 'success', message: 'Cashback decision recorded' },
  headers = {},
}: {
  status?: number
  json?: unknown
  headers?: Record<string, string>
}): Reply {
  const all = { 'X-Request-Id': 'req_1', 'Content-Type': 'application/json; charset=utf-8', ...headers }
  return { status, headers: new Headers(all), text: JSON.stringify(json), json }
}

const error = (message: string) => ({ status: 'error', message })
const unknown = error('Prize not found or unavailable for cashback')

describe('the check that every test makes of every answer', () => {
  const good: Record<string, [string, string, Reply]> = {
    'a documented success': ['POST', '/prize/cashback', replyWith({})],
    'a documented error': [
      'POST',
      '/prize/cashback',
      replyWith({ status: 404, json: unknown, headers: { 'X-Error-Code': 'prize_unknown' } }),
    ],
    'an unknown path': [
      'POST',
      '/nowhere',
      replyWith({
        status: 404,
        json: error('No endpoint has this path: check the base URL and the path'),
        headers: { 'X-Error-Code': 'route_unknown' },
      }),
    ],
    'another method': [
      'GET',
      '/prize/cashback',
      replyWith({
        status: 405,
        json: error('This path does not have the method: use one of the Allow header'),
        headers: { 'X-Error-Code': 'method_not_allowed', Allow: 'POST' },
      }),
    ],
    'a page of the dashboard': ['GET', '/ops/login', replyWith({ status: 302, json: 'anything' })],
  }
  for (const [name, [method, path, reply]] of Object.entries(good)) {
    it(`accepts ${name}`, () => {
      checkReply(method, path, reply)
    })
  }

  const bad: Record<string, [Reply, RegExp]> = {
    'a status': [replyWith({ status: 403, json: unknown }), /status is not documented/],
    'an error code': [
      replyWith({ status: 404, json: unknown, headers: { 'X-Error-Code': 'box_unknown' } }),
      /error code box_unknown/,
    ],
    'a message': [
      replyWith({ status: 404, json: error('Gone'), headers: { 'X-Error-Code': 'prize_unknown' } }),
      /message/,
    ],
    'a field': [
      replyWith({ json: { status: 'success', message: 'Cashback decision recorded', id: 1 } }),
      /additional properties/,
    ],
    'a missing field': [replyWith({ json: { status: 'success' } }), /required property 'message'/],
    'a header': [replyWith({ headers: { 'X-Powered-By': 'Koa' } }), /header x-powered-by/],
    'a missing header': [replyWith({ status: 404, json: unknown }), /x-error-code is missing/],
    'a header’s value': [replyWith({ headers: { 'Idempotency-Replayed': 'yes' } }), /idempotency-replayed/],
    'a content type': [replyWith({ headers: { 'Content-Type': 'text/html' } }), /content type text\/html/],
  }
  for (const [name, [reply, problem]] of Object.entries(bad)) {
    it(`fails for ${name} that is not documented like that`, () => {
      expect(() => {
        checkReply('POST', '/prize/cashback', reply)
      }).to.throw(problem)
    })
  }

  it('fails for answers to paths and methods that do not exist', () => {
    expect(() => {
      checkReply('POST', '/nowhere', replyWith({}))
    }).to.throw(/instead of 404 route_unknown/)
    expect(() => {
      checkReply('DELETE', '/prize/cashback', replyWith({}))
    }).to.throw(/instead of 405 method_not_allowed/)
    const headers = { 'X-Error-Code': 'method_not_allowed', Allow: 'GET' }
    const reply = replyWith({
      status: 405,
      json: error('This path does not have the method: use one of the Allow header'),
      headers,
    })
    expect(() => {
      checkReply('DELETE', '/prize/cashback', reply)
    }).to.throw(/Allow is GET/)
  })
})
