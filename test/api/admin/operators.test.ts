import { TOTP } from 'otpauth'
import { expect } from 'chai'
import { createAdminRoutes } from '../../../api/admin/routes.ts'
import { sessionLifetimeMs } from '../../../core/operator/sessions.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { cookieOf, logIn, makeOperator, postForm, postLogin, testPassword } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, fieldOf, listAt, textAt } from './operator.ts'

const key = { Authorization: `Bearer ${adminApiKey}` }
const jane = { name: 'Jane Miller', role: 'support', casino_ids: null }

describe('operators', () => {
  let service: TestService
  let nowMs = Date.now()

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) }, nowMs: () => nowMs })
    atEnd(() => service.stop())
  })

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = key) =>
    service.client.send(method, `/admin${path}`, {
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const codeOf = (reply: Reply) => reply.headers.get('X-Error-Code')
  const accept = (invitation: string, password: string) =>
    postForm(service.client, '/ops/invitation', { invitation, password })
  const codes = (secret: string) => {
    const totp = new TOTP({ secret })
    return (offset = 0) => totp.generate({ timestamp: nowMs + offset * 30_000 })
  }

  it('are invited, choose a password once, and sign in with it', async () => {
    const made = await send('POST', '/operators', { username: 'Jane@Acme.Example', ...jane })
    expect(made.status).to.equal(201)
    expect(made.json).to.have.nested.include({
      'data.username': 'jane@acme.example',
      'data.state': 'invited',
      'data.created_by': 'admin',
      'data.casino_ids': null,
    })
    const invitation = textAt(made, 'data.invitation')
    const id = textAt(made, 'data.operator_id')
    expect((await accept(invitation, 'too short')).text).to.contain('at least 12 characters')
    expect((await accept(`${invitation.slice(0, -1)}~`, testPassword)).status).to.equal(404)
    expect((await accept(invitation, testPassword)).status).to.equal(303)
    expect((await accept(invitation, 'another password')).status, 'a second time').to.equal(404)
    const entered = await postLogin(service.client, { username: 'JANE@acme.example', password: testPassword })
    expect(entered.status).to.equal(303)
    const own = await send('GET', '/session', undefined, cookieOf(entered))
    expect(own.json).to.have.nested.include({
      'data.operator.operator_id': id,
      'data.operator.state': 'active',
    })
    expect(at(own, 'data.rights')).to.deep.equal(['view', 'support'])
    const again = await send('POST', '/operators', { username: 'jane@acme.example', ...jane })
    expect([again.status, codeOf(again)]).to.deep.equal([409, 'operator_exists'])
    const texts = [await send('GET', '/operators'), await send('GET', `/operators/${id}`), own]
    for (const { text } of texts) expect(text).not.to.match(/scrypt|invitation|password/)
  })

  it('are invited again when the password is lost: the old one works until the new one is set', async () => {
    const { id, username } = await makeOperator(service)
    const first = textAt(await send('POST', `/operators/${id}/invite`, { reason: 'lost' }), 'data.invitation')
    const second = textAt(await send('POST', `/operators/${id}/invite`), 'data.invitation')
    expect((await accept(first, 'a new password of it')).status, 'void').to.equal(404)
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    nowMs += 3 * 86_400_000 + 1_000
    expect((await accept(second, 'a new password of it')).status, 'too late').to.equal(404)
    nowMs -= 3 * 86_400_000
    expect((await accept(second, 'a new password of it')).status).to.equal(303)
    expect((await send('GET', '/session', undefined, session)).status, 'the session before').to.equal(401)
    expect((await postLogin(service.client, { username, password: testPassword })).status).to.equal(401)
    nowMs += 60_000
    const entered = await postLogin(service.client, { username, password: 'a new password of it' })
    expect(entered.status).to.equal(303)
  })

  it('sign in with a code once they have confirmed a second factor, and no code counts twice', async () => {
    const { username } = await makeOperator(service)
    const right = { username, password: testPassword }
    const session = cookieOf(await postLogin(service.client, right))
    const begun = await send('PUT', '/session/second-factor', {}, session)
    expect(textAt(begun, 'data.uri')).to.match(/^otpauth:\/\/totp\/Casino%20rewards:/)
    const code = codes(textAt(begun, 'data.secret'))
    expect((await postLogin(service.client, right)).status, 'not yet confirmed').to.equal(303)
    const wrong = await send('PUT', '/session/second-factor/confirmation', { code: code(10) }, session)
    expect(complaintsOf(wrong)).to.deep.equal(['code'])
    expect(
      (await send('PUT', '/session/second-factor/confirmation', { code: code() }, session)).status,
    ).to.equal(200)
    const missing = await postLogin(service.client, right)
    expect([missing.status, codeOf(missing)]).to.deep.equal([401, 'second_factor_code_required'])
    expect((await postLogin(service.client, { ...right, code: code() })).status, 'it confirmed').to.equal(401)
    nowMs += 30_000
    const next = code().replace(/^(...)/, '$1 ')
    expect((await postLogin(service.client, { ...right, code: next })).status).to.equal(303)
    expect((await postLogin(service.client, { ...right, code: next })).status, 'twice').to.equal(401)
    const again = await send('PUT', '/session/second-factor', {}, session)
    expect(codeOf(again), 'nobody exchanges it in an open browser').to.equal('transition_illegal')
  })

  it('can do nothing except set up a second factor where one is required', async () => {
    const { id, username } = await makeOperator(service, { isSecondFactorRequired: true })
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    for (const path of ['/casinos', '/operators'])
      expect(codeOf(await send('GET', path, undefined, session)), path).to.equal('second_factor_required')
    const board = await service.client.send('GET', '/ops/queues/api/queues', { headers: session })
    expect(codeOf(board)).to.equal('second_factor_required')
    const begun = await send('PUT', '/session/second-factor', {}, session)
    await send(
      'PUT',
      '/session/second-factor/confirmation',
      { code: codes(textAt(begun, 'data.secret'))() },
      session,
    )
    expect((await send('GET', '/casinos', undefined, session)).status).to.equal(200)
    await send('POST', `/operators/${id}/reset-second-factor`, { reason: 'the telephone is lost' })
    expect(codeOf(await send('GET', '/casinos', undefined, session))).to.equal('session_ended')
    expect(
      (await postLogin(service.client, { username, password: testPassword })).status,
      'without a code',
    ).to.equal(303)
  })

  it('are signed out everywhere immediately when they are disabled, and cannot sign in', async () => {
    const { id, username } = await makeOperator(service)
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    expect((await send('GET', '/casinos', undefined, session)).status).to.equal(200)
    const disabled = await send('POST', `/operators/${id}/disable`, { reason: 'has left' })
    expect(at(disabled, 'data.state')).to.equal('disabled')
    expect(codeOf(await send('GET', '/casinos', undefined, session))).to.equal('session_ended')
    expect((await postLogin(service.client, { username, password: testPassword })).status).to.equal(401)
    expect(codeOf(await send('POST', `/operators/${id}/invite`))).to.equal('transition_illegal')
    expect(at(await send('POST', `/operators/${id}/enable`), 'data.state')).to.equal('active')
    expect(codeOf(await send('GET', '/casinos', undefined, session)), 'still').to.equal('session_ended')
    nowMs += 60_000
    expect((await postLogin(service.client, { username, password: testPassword })).status).to.equal(303)
  })

  it('have sessions that can be listed and ended, one or all', async () => {
    const { id, username } = await makeOperator(service)
    const enter = async () =>
      cookieOf(
        await postLogin(service.client, { username, password: testPassword }, { 'User-Agent': 'Firefox' }),
      )
    const [one, two, three] = [await enter(), await enter(), await enter()]
    const listed = listAt(await send('GET', `/operators/${id}/sessions`))
    expect(fieldOf(listed, 'user_agent')).to.deep.equal(['Firefox', 'Firefox', 'Firefox'])
    const firstId = String(fieldOf(listed, 'session_id')[0])
    const isOpen = async (session: { Cookie: string }) =>
      (await send('GET', '/session', undefined, session)).status === 200
    expect(at(await send('DELETE', `/operators/${id}/sessions/${firstId}`), 'data.ended')).to.equal(1)
    expect([await isOpen(one), await isOpen(two), await isOpen(three)]).to.deep.equal([false, true, true])
    expect(at(await send('DELETE', `/operators/${id}/sessions/${firstId}`), 'data.ended')).to.equal(0)
    const other = await makeOperator(service)
    const foreign = await send('DELETE', `/operators/${other.id}/sessions/${firstId}`)
    expect(codeOf(foreign)).to.equal('session_unknown')
    expect(at(await send('DELETE', `/operators/${id}/sessions`), 'data.ended')).to.equal(2)
    expect([await isOpen(two), await isOpen(three)]).to.deep.equal([false, false])
  })

  it('list their own sessions, the current one marked, and end any of them or all others', async () => {
    const { username } = await makeOperator(service, { role: 'viewer', casinoIds: ['some'] })
    const enter = async () => {
      nowMs += 1_000
      return cookieOf(await postLogin(service.client, { username, password: testPassword }))
    }
    const [one, two, three] = [await enter(), await enter(), await enter()]
    const foreign = await logIn(service)
    const isOpen = async (session: { Cookie: string }) =>
      (await send('GET', '/session', undefined, session)).status === 200
    const idOf = async (session: { Cookie: string }) =>
      textAt(await send('GET', '/session', undefined, session), 'data.session_id')
    const ids = [await idOf(three), await idOf(two), await idOf(one)]
    const listed = listAt(await send('GET', '/session/sessions', undefined, two))
    expect(fieldOf(listed, 'session_id'), 'the newest first').to.deep.equal(ids)
    expect(fieldOf(listed, 'is_current')).to.deep.equal([false, true, false])
    const page = await send('GET', '/session/sessions?limit=2', undefined, two)
    expect(fieldOf(listAt(page), 'session_id')).to.deep.equal(ids.slice(0, 2))
    const cursor = textAt(page, 'next_cursor')
    const rest = await send('GET', `/session/sessions?limit=2&cursor=${cursor}`, undefined, two)
    expect(fieldOf(listAt(rest), 'session_id')).to.deep.equal(ids.slice(2))

    const end = (session: { Cookie: string }, path = '') =>
      send('DELETE', `/session/sessions${path}`, undefined, session)
    const theirs = await end(two, `/${await idOf(foreign)}`)
    expect([theirs.status, codeOf(theirs)]).to.deep.equal([404, 'session_unknown'])
    expect(await isOpen(foreign)).to.equal(true)
    expect(at(await end(two, `/${ids[0]}`), 'data.ended')).to.equal(1)
    expect(at(await end(two, `/${ids[0]}`), 'data.ended'), 'already').to.equal(0)
    expect([await isOpen(one), await isOpen(two), await isOpen(three)]).to.deep.equal([true, true, false])
    expect(at(await end(two), 'data.ended')).to.equal(1)
    expect([await isOpen(one), await isOpen(two), await isOpen(foreign)]).to.deep.equal([false, true, true])
    expect(at(await end(two, `/${ids[1]}`), 'data.ended'), 'the current one').to.equal(1)
    expect(await isOpen(two)).to.equal(false)

    const entries = await service.database.auditEntry.findMany({ where: { actor: `operator:${username}` } })
    const actions = entries.map(({ action, outcome }) => `${action} ${outcome}`)
    expect(actions).to.include.members([
      'GET /admin/session/sessions 200',
      'DELETE /admin/session/sessions 200',
      'DELETE /admin/session/sessions/:session_id 200',
      'DELETE /admin/session/sessions/:session_id 404 session_unknown',
    ])
    for (const method of ['GET', 'DELETE']) {
      expect(codeOf(await send(method, '/session/sessions')), 'a key').to.equal('session_required')
    }
  })

  it('stay signed in for eight hours at most, and for one hour without activity', async () => {
    const isOpen = async (session: { Cookie: string }) =>
      (await send('GET', '/session', undefined, session)).status === 200
    const idle = await logIn(service)
    nowMs += 3_599_000
    expect(await isOpen(idle), 'in the last second').to.equal(true)
    nowMs += 3_599_000
    expect(await isOpen(idle), 'it was used meanwhile').to.equal(true)
    nowMs += 3_600_000
    expect(await isOpen(idle)).to.equal(false)
    const busy = await logIn(service)
    const endsMs = nowMs + sessionLifetimeMs
    for (; nowMs < endsMs; nowMs += 1_800_000) expect(await isOpen(busy)).to.equal(true)
    expect(await isOpen(busy)).to.equal(false)
  })

  it('change their password with the current one, which ends their other sessions', async () => {
    const { username } = await makeOperator(service)
    const enter = (password = testPassword) => postLogin(service.client, { username, password })
    const [session, other] = [cookieOf(await enter()), cookieOf(await enter())]
    const put = (password: string, next: string) =>
      send('PUT', '/session/password', { password, new_password: next }, session)
    expect(codeOf(await put('not the present one', 'a new and long one'))).to.equal('sign_in_refused')
    expect(complaintsOf(await put(testPassword, 'short'))).to.deep.equal(['new_password'])
    expect((await put(testPassword, 'a new and long one')).status).to.equal(200)
    expect((await send('GET', '/session', undefined, session)).status).to.equal(200)
    expect((await send('GET', '/session', undefined, other)).status).to.equal(401)
    expect((await enter('a new and long one')).status).to.equal(303)
  })

  it('are changed immediately: the next request is refused what the new role lacks', async () => {
    const { id, username } = await makeOperator(service)
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    expect((await send('GET', '/operators', undefined, session)).status).to.equal(200)
    await send('PUT', `/operators/${id}`, { name: 'Joe', role: 'viewer', casino_ids: null })
    expect(codeOf(await send('GET', '/operators', undefined, session))).to.equal('right_missing')
    expect((await send('GET', '/casinos', undefined, session)).status).to.equal(200)
  })

  it('are refused with a message for each parameter that is wrong', async () => {
    const cases: [object, string[]][] = [
      [{}, ['casino_ids', 'name', 'role', 'username']],
      [{ ...jane, username: 'jane miller' }, ['username']],
      [{ ...jane, username: '<script>' }, ['username']],
      [{ ...jane, username: 'j'.repeat(101) }, ['username']],
      [{ ...jane, username: 'j', role: 'root' }, ['role']],
      [{ ...jane, username: 'j', casino_ids: [] }, ['casino_ids']],
      [{ ...jane, username: 'j', casino_ids: ['a', 'a'] }, ['casino_ids.1']],
      [{ ...jane, username: 'j', second_factor_required: 'yes' }, ['second_factor_required']],
    ]
    for (const [body, wrong] of cases) {
      const reply = await send('POST', '/operators', body)
      expect([reply.status, complaintsOf(reply)], JSON.stringify(body).slice(0, 200)).to.deep.equal([
        400,
        wrong,
      ])
    }
    const unknown = await send('POST', '/operators', { ...jane, username: 'j', casino_ids: ['nowhere'] })
    expect([unknown.status, codeOf(unknown)]).to.deep.equal([404, 'casino_unknown'])
    expect(codeOf(await send('GET', '/operators/opr_none'))).to.equal('operator_unknown')
  })

  it('are created once by requests that are repeated under an Idempotency-Key, with the same invitation', async () => {
    const invite = (idempotencyKey: string, username = 'once') =>
      send('POST', '/operators', { username, ...jane }, { ...key, 'Idempotency-Key': idempotencyKey })
    const [first, second] = [await invite('make-once'), await invite('make-once')]
    expect([first.status, second.status, second.text]).to.deep.equal([201, 201, first.text])
    expect(second.headers.get('Idempotency-Replayed')).to.equal('true')
    expect(codeOf(await invite('make-once', 'other'))).to.equal('idempotency_key_reused')
    expect(codeOf(await invite('another-key'))).to.equal('operator_exists')
    const posts = createAdminRoutes(service.deps).filter(
      ({ method, path }) => method === 'POST' && !path.includes(':casino_id'),
    )
    expect(posts.length).to.equal(5)
    for (const { path } of posts) {
      const reply = await service.client.send('POST', path.replaceAll(/:\w+/g, 'none'), {
        headers: { ...key, 'Idempotency-Key': 'a b' },
      })
      expect(codeOf(reply), path).to.equal('idempotency_key_invalid')
    }
  })

  it('are named in the audit trail of each of their actions, as is the operator who created them', async () => {
    const { username } = await makeOperator(service)
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    const casino = await service.factory.casino()
    const why = { ...session, 'X-Reason': 'The spring campaign' }
    await send('PUT', `/casinos/${casino.id}/items/mug`, { name: 'Mug', kind: 'physical' }, why)
    const trail = listAt(await send('GET', `/casinos/${casino.id}/audit`)) as Record<string, string>[]
    expect(trail.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`)).to.deep.equal([
      `operator:${username} PUT /admin/casinos/:casino_id/items/:item_id requested`,
      `operator:${username} PUT /admin/casinos/:casino_id/items/:item_id 200`,
    ])
    const made = await send(
      'POST',
      '/operators',
      { username: 'made-by-a-person', ...jane, reason: 'new' },
      session,
    )
    expect(at(made, 'data.created_by')).to.equal(`operator:${username}`)
  })
})
