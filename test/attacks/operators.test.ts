import { TOTP } from 'otpauth'
import { expect } from 'chai'
import { changePassword, disableOperator, enableOperator } from '../../core/operator/operators.ts'
import { createSession } from '../../core/operator/sessions.ts'
import { signIn } from '../../core/operator/sign-in.ts'
import type { Database } from '../../core/platform/database.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import type { Reply } from '../support/client.ts'
import { cookieOf, logIn, makeOperator, postLogin, testPassword } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const codeOf = (reply: Reply) => reply.headers.get('X-Error-Code')
const from = { address: '203.0.113.1', userAgent: '' }

describe('an attacker of operators', () => {
  let service: TestService
  let nowMs = Date.now()

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) }, nowMs: () => nowMs })
    atEnd(() => service.stop())
  })

  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    service.client.send(method, `/admin${path}`, {
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const isIn = async (session: { Cookie: string }) => (await send('GET', '/session', session)).status === 200
  /** Sets up a second factor; returns the code of a time. */
  const enrol = async (session: { Cookie: string }) => {
    const begun = await send('PUT', '/session/second-factor', session, {})
    const { secret } = (begun.json as { data: { secret: string } }).data
    const codeAt = (timestamp = nowMs) => new TOTP({ secret }).generate({ timestamp })
    const confirmed = await send('PUT', '/session/second-factor/confirmation', session, { code: codeAt() })
    expect(confirmed.status).to.equal(200)
    nowMs += 30_000 // that code is used
    return codeAt
  }

  it('can guess few codes despite knowing the password', async () => {
    const { username } = await makeOperator(service)
    const right = { username, password: testPassword }
    const codeAt = await enrol(cookieOf(await postLogin(service.client, right)))
    const wrong = String((Number(codeAt()) + 1) % 1_000_000).padStart(6, '0')
    const far = codeAt(nowMs + 3_600_000)
    for (let guess = 1; guess <= 10; guess++) {
      const code = [codeAt(nowMs - 30_000), codeAt(nowMs + 30_000)].includes(wrong) ? far : wrong
      expect((await postLogin(service.client, { ...right, code })).status, `guess ${guess}`).to.equal(401)
    }
    const late = await postLogin(service.client, { ...right, code: codeAt() })
    expect([late.status, codeOf(late), late.headers.get('Retry-After')]).to.deep.equal([
      429,
      'login_limited',
      '900',
    ])
    expect(late.headers.getSetCookie()).to.deep.equal([])
    await logIn(service) // somebody else
    nowMs += 15 * 60_000
    expect((await postLogin(service.client, { ...right, code: codeAt() })).status).to.equal(303)
  })

  it('loses a session gained by a password when a second factor is set up', async () => {
    const { username } = await makeOperator(service)
    const right = { username, password: testPassword }
    const attacker = cookieOf(await postLogin(service.client, right))
    const own = cookieOf(await postLogin(service.client, right))
    await enrol(own)
    expect([await isIn(own), await isIn(attacker)]).to.deep.equal([true, false])
  })

  it('loses a copied cookie’s session when the browser signs in again', async () => {
    const { username } = await makeOperator(service)
    const right = { username, password: testPassword }
    const copied = cookieOf(await postLogin(service.client, right))
    const next = cookieOf(await postLogin(service.client, right, copied))
    expect(next.Cookie).not.to.equal(copied.Cookie)
    expect([await isIn(next), await isIn(copied)]).to.deep.equal([true, false])
    // A session that was made up before is not taken over.
    const fixed = { Cookie: `ops_session=ses_${'0'.repeat(32)}.${'A'.repeat(43)}` }
    const entered = cookieOf(await postLogin(service.client, right, fixed))
    expect(entered.Cookie).not.to.equal(fixed.Cookie)
    expect(await isIn(fixed)).to.equal(false)
  })

  it('does not sign in while the password is changed or the operator is disabled', async () => {
    /** The database, in which something happens just before a session is stored. */
    const withThis = (happens: () => Promise<unknown>): Database =>
      new Proxy(service.database, {
        get: (target, name) =>
          name !== 'operatorSession'
            ? (Reflect.get(target, name) as unknown)
            : new Proxy(target.operatorSession, {
                get: (sessions, method) =>
                  method !== 'createMany'
                    ? (Reflect.get(sessions, method) as unknown)
                    : async (rows: Parameters<typeof sessions.createMany>[0]) => {
                        await happens()
                        return sessions.createMany(rows)
                      },
              }),
      })
    const { database, deps } = service
    const now = () => new Date(nowMs)
    const ends: ((operatorId: string) => Promise<unknown>)[] = [
      (operatorId) => disableOperator(database, now(), { operatorId }),
      (operatorId) =>
        changePassword(database, now(), { operatorId, password: 'another password', sessionId: 'none' }),
    ]
    for (const end of ends) {
      const { id, username } = await makeOperator(service)
      const signInDeps = {
        ...deps,
        database: withThis(() => end(id)),
        hashSecret: deps.config.hashSecret,
        ways: { passwords: true, issuer: undefined },
      }
      const credentials = { username, password: testPassword, code: undefined }
      await signIn(signInDeps, now(), credentials, from).then(
        () => expect.fail('let in'),
        (error: unknown) => expect(error).to.have.property('code', 'sign_in_refused'),
      )
      expect(await database.operatorSession.count({ where: { operatorId: id, endedAt: null } })).to.equal(0)
    }
  })

  it('gets no earlier session back when an operator is enabled again', async () => {
    const { database, deps } = service
    const { id } = await makeOperator(service)
    await disableOperator(database, new Date(nowMs), { operatorId: id })
    const { hashSecret } = deps.config
    const wish = { operatorId: id, ...from }
    const token = await createSession({ database, hashSecret }, new Date(nowMs), wish)
    await enableOperator(database, new Date(nowMs), { operatorId: id })
    expect(await isIn({ Cookie: `ops_session=${token}` })).to.equal(false)
    const session = await createSession({ database, hashSecret }, new Date(nowMs), wish)
    await enableOperator(database, new Date(nowMs), { operatorId: id })
    expect(await isIn({ Cookie: `ops_session=${session}` }), 'enabled already').to.equal(true)
  })

  it('must give a reason that is visible text', async () => {
    const session = await logIn(service)
    const casino = await service.factory.casino()
    const item = { name: 'Mug', kind: 'physical' }
    for (const blank of ['%20', '%E2%80%8B', '%C2%AD%E2%80%8E', '%09', '%EF%BB%BF']) {
      const said = { ...session, 'X-Reason': blank }
      const reply = await send('PUT', `/casinos/${casino.id}/items/mug`, said, item)
      expect([reply.status, codeOf(reply)], blank).to.deep.equal([422, 'reason_required'])
      const body = { reason: decodeURIComponent(blank) }
      const inBody = await send('POST', `/casinos/${casino.id}/players/nobody/erase`, session, body)
      expect([inBody.status, codeOf(inBody)], blank).to.deep.equal([422, 'reason_required'])
    }
  })
})
