import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import type { Reply } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/**
 * The contract, row by row. The id in brackets is the row of docs/integrate/contract.md that the test shows;
 * contract-table.test.ts sees to it that no row is without a test.
 */
describe('the contract', () => {
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.client.post(path, casino.apiKey, body, headers)
  const givePrize = async (data: Parameters<TestService['factory']['prize']>[1] = {}) => {
    const { prizeId, playerId } = await service.factory.prize(casino.id, data)
    return { player_id: playerId, prize_id: prizeId }
  }
  /** A box whose every opening wins the same item, which a new player may open once. */
  const giveOpening = async (playerId: string, count = 1) => {
    const itemId = await service.factory.item(casino.id, { name: 'Mug', claimDays: 30 })
    const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    await service.factory.grant(casino.id, playerId, boxId, count)
    return { player_id: playerId, box_id: boxId }
  }

  function expectError(reply: Reply, status: number, message: string, code?: string): void {
    expect(reply.status).to.equal(status)
    expect(reply.json).to.deep.equal({ status: 'error', message })
    expect(reply.headers.get('content-type')).to.match(/^application\/json/)
    if (code !== undefined) expect(reply.headers.get('x-error-code')).to.equal(code)
  }

  const operations = [
    {
      path: '/box/open',
      message400: 'Missing or invalid player_id or box_id',
      message500: 'An error occurred while opening the box.',
      valid: () => giveOpening(`player-${Math.random()}`),
    },
    {
      path: '/prize/order',
      message400: 'The given data was invalid.',
      message500: 'An error occurred while recording the prize order.',
      valid: async () => ({ ...(await givePrize()), ...delivery }),
    },
    {
      path: '/prize/cashback',
      message400: 'Missing or invalid player_id or prize_id',
      message500: 'An error occurred while recording the cashback decision.',
      valid: () => givePrize(),
    },
  ]

  describe('opening a box', () => {
    it('answers 200 with the won prize and its id [box-200]', async () => {
      const reply = await post('/box/open', await giveOpening('winner'))
      expect(reply.status).to.equal(200)
      const body = reply.json as { prize: Record<string, unknown>; opening: Record<string, unknown> }
      expect(body).to.include({ status: 'success', message: 'Box opened successfully' })
      expect(body.prize).to.include({ name: 'Mug', kind: 'physical' })
      expect(body.prize['cashback']).to.deep.equal({ amount_minor: 500, currency: 'EUR' })
      expect(body.prize['id']).to.be.a('string').and.match(/^prz_/)
      expect(Date.parse(String(body.prize['expires_at']))).to.be.greaterThan(0)
    })

    it('gives an id that the other operations accept, and another one for every win [box-prize-id]', async () => {
      const opening = await giveOpening('collector', 2)
      const ids = []
      for (let i = 0; i < 2; i++) {
        const { json } = await post('/box/open', opening)
        ids.push((json as { prize: { id: string } }).prize.id)
      }
      expect(ids[0]).not.to.equal(ids[1])
      const ordered = await post('/prize/order', { player_id: 'collector', prize_id: ids[0], ...delivery })
      const cashedBack = await post('/prize/cashback', { player_id: 'collector', prize_id: ids[1] })
      expect([ordered.status, cashedBack.status]).to.deep.equal([200, 200])
    })

    for (const body of [{}, { player_id: 'p' }, { box_id: 'b' }, { player_id: null, box_id: 'b' }]) {
      it(`answers 400 for ${JSON.stringify(body)} [box-400]`, async () => {
        expectError(await post('/box/open', body), 400, 'Missing or invalid player_id or box_id')
      })
    }

    it('answers 404 for a box that does not exist [box-404]', async () => {
      const reply = await post('/box/open', { player_id: 'p', box_id: 'no such box' })
      expectError(reply, 404, 'Box not found or unavailable', 'box_unknown')
    })

    it('answers 404 to a player without a grant, and after the last one is used [box-404-entitlement]', async () => {
      const opening = await giveOpening('once')
      const stranger = await post('/box/open', { ...opening, player_id: 'stranger' })
      expectError(stranger, 404, 'Box not found or unavailable', 'opening_not_entitled')
      expect((await post('/box/open', opening)).status).to.equal(200)
      expectError(
        await post('/box/open', opening),
        404,
        'Box not found or unavailable',
        'opening_not_entitled',
      )
    })

    it('answers 404 outside the opening window [box-404-window]', async () => {
      const itemId = await service.factory.item(casino.id)
      const hour = 3600_000
      for (const window of [
        { activeFrom: new Date(Date.now() + hour) },
        { activeUntil: new Date(Date.now() - hour) },
      ]) {
        const limit = { count: 5, period: 'day' as const }
        const boxId = await service.factory.box(casino.id, {
          entries: [{ itemId, weight: 1 }],
          limit,
          ...window,
        })
        const reply = await post('/box/open', { player_id: 'p', box_id: boxId })
        expectError(reply, 404, 'Box not found or unavailable', 'box_closed')
      }
    })
  })

  describe('ordering a prize', () => {
    it('answers 200 with exactly the documented body [order-200]', async () => {
      const reply = await post('/prize/order', { ...(await givePrize()), ...delivery })
      expect(reply.status).to.equal(200)
      expect(reply.text).to.equal(
        '{"status":"success","message":"Prize order recorded. Awaiting confirmation for shipment."}',
      )
    })

    it('accepts an order with the required fields only [order-200-required]', async () => {
      const { recipient_name, street, city, postal_code, country } = delivery
      const order = { ...(await givePrize()), recipient_name, street, city, postal_code, country }
      expect((await post('/prize/order', order)).status).to.equal(200)
    })

    it('names every required parameter that is missing [order-400]', async () => {
      const reply = await post('/prize/order', {})
      expect(reply.status).to.equal(400)
      const { errors, ...rest } = reply.json as {
        errors: Record<string, { error: string; message: string }[]>
      }
      expect(rest).to.deep.equal({ status: 'error', message: 'The given data was invalid.' })
      expect(Object.keys(errors)).to.have.members([
        'player_id',
        'prize_id',
        'recipient_name',
        'street',
        'city',
        'postal_code',
        'country',
      ])
      for (const [name, failures] of Object.entries(errors)) {
        expect(failures).to.deep.equal([{ error: 'required', message: `${name} is required` }])
      }
    })

    it('names a value that is invalid, with its rule [order-400-rule]', async () => {
      const order = { ...(await givePrize()), ...delivery, email: 'not an address' }
      const reply = await post('/prize/order', order)
      expect(reply.status).to.equal(400)
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'The given data was invalid.',
        errors: { email: [{ error: 'email', message: 'email must be a valid email' }] },
      })
    })

    it('answers 403 for a prize of another player [order-403]', async () => {
      const order = { ...(await givePrize()), ...delivery, player_id: 'somebody else' }
      const message = 'Player does not have the specified prize in inventory'
      expectError(await post('/prize/order', order), 403, message, 'prize_not_owned')
    })

    it('answers 404 for a prize that does not exist [order-404]', async () => {
      const order = { player_id: 'p', prize_id: 'no such prize', ...delivery }
      const message = 'Prize not found or unavailable for order'
      expectError(await post('/prize/order', order), 404, message, 'prize_unknown')
    })

    const unavailable = {
      'is not physical': { kind: 'cash' },
      'is ordered already': { state: 'ordered' },
      'is cashed back already': { state: 'cashed_back' },
      'waits for its cashback': { state: 'cashback_pending' },
      'has expired': { expiresAt: new Date(0) },
      'was marked as expired': { state: 'expired' },
      'is void': { state: 'voided' },
    } as const
    for (const [what, data] of Object.entries(unavailable)) {
      it(`answers 404 for a prize that ${what} [order-404-unavailable]`, async () => {
        const order = { ...(await givePrize(data)), ...delivery }
        const message = 'Prize not found or unavailable for order'
        expectError(await post('/prize/order', order), 404, message, 'prize_not_orderable')
      })
    }

    it('answers 404 when the same order is sent again without a key [order-repeat]', async () => {
      const order = { ...(await givePrize()), ...delivery }
      expect((await post('/prize/order', order)).status).to.equal(200)
      expectError(await post('/prize/order', order), 404, 'Prize not found or unavailable for order')
    })
  })

  describe('taking cashback', () => {
    it('answers 200 with exactly the documented body [cashback-200]', async () => {
      const reply = await post('/prize/cashback', await givePrize({ kind: 'cash' }))
      expect(reply.status).to.equal(200)
      expect(reply.text).to.equal('{"status":"success","message":"Cashback decision recorded"}')
    })

    for (const body of [{}, { player_id: 'p' }, { prize_id: 'z' }, { player_id: [], prize_id: 'z' }]) {
      it(`answers 400 without an errors object for ${JSON.stringify(body)} [cashback-400]`, async () => {
        expectError(await post('/prize/cashback', body), 400, 'Missing or invalid player_id or prize_id')
      })
    }

    it('answers 404 for a prize that does not exist [cashback-404]', async () => {
      const reply = await post('/prize/cashback', { player_id: 'p', prize_id: 'no such prize' })
      expectError(reply, 404, 'Prize not found or unavailable for cashback', 'prize_unknown')
    })

    it('answers 404, not 403, for a prize of another player [cashback-404-owner]', async () => {
      const request = { ...(await givePrize()), player_id: 'somebody else' }
      expectError(await post('/prize/cashback', request), 404, 'Prize not found or unavailable for cashback')
    })

    const unavailable = {
      'has no cashback': { cashback: null },
      'is ordered': { state: 'ordered' },
      'is cashed back already': { state: 'cashed_back' },
      'waits for its cashback': { state: 'cashback_pending' },
      'has expired': { expiresAt: new Date(0) },
      'was marked as expired': { state: 'expired' },
      'is void': { state: 'voided' },
    } as const
    for (const [what, data] of Object.entries(unavailable)) {
      it(`answers 404 for a prize that ${what} [cashback-404-unavailable]`, async () => {
        const message = 'Prize not found or unavailable for cashback'
        expectError(await post('/prize/cashback', await givePrize(data)), 404, message, 'prize_not_cashable')
      })
    }

    it('answers 404 when the same request is sent again without a key [cashback-repeat]', async () => {
      const request = await givePrize()
      expect((await post('/prize/cashback', request)).status).to.equal(200)
      expectError(await post('/prize/cashback', request), 404, 'Prize not found or unavailable for cashback')
    })
  })

  for (const { path, message400, valid } of operations) {
    describe(`every operation: ${path}`, () => {
      it('answers 401 without a key and with an invalid key [auth-401]', async () => {
        const body = await valid()
        const expired = await service.factory.apiKey(casino.id, ['play'], { expiresAt: new Date(0) })
        const revoked = await service.factory.apiKey(casino.id, ['play'], { revokedAt: new Date(0) })
        const noScope = await service.factory.apiKey(casino.id, ['manage'])
        const mistyped = casino.apiKey.slice(0, -1) + (casino.apiKey.endsWith('a') ? 'b' : 'a')
        for (const key of [undefined, 'nonsense', mistyped, expired, revoked, noScope]) {
          const reply = await service.client.post(path, key, body)
          expectError(reply, 401, 'Invalid or missing API key')
          expect(reply.headers.get('www-authenticate')).to.equal('Bearer')
        }
        expect((await post(path, body)).status).to.equal(200) // none of them has changed anything
      })

      it('accepts the key as a bearer credential only [auth-bearer]', async () => {
        const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${casino.apiKey}` }
        const body = JSON.stringify(await valid())
        expect((await service.client.send('POST', path, { headers, body })).status).to.equal(401)
        const query = `${path}?api_key=${casino.apiKey}`
        expect((await service.client.post(query, undefined, {})).status).to.equal(401)
      })

      it('ignores the query string [query-ignored]', async () => {
        const body = await valid()
        const query = new URLSearchParams(body as Record<string, string>)
        expect((await post(`${path}?${query.toString()}`, {})).status).to.equal(400)
        expect((await post(`${path}?player_id=other`, body)).status).to.equal(200)
      })

      it('ignores parameters it does not know [unknown-ignored]', async () => {
        const reply = await post(path, { ...(await valid()), admin: true, nested: { a: [1] } })
        expect(reply.status).to.equal(200)
      })

      it('answers 404 for objects of another casino [scope-casino]', async () => {
        const other = await service.factory.casino()
        const body = await valid()
        expect((await service.client.post(path, other.apiKey, body)).status).to.equal(404)
        expect((await post(path, body)).status).to.equal(200)
      })

      it('answers 405 with Allow to other methods, even without a key [method-405]', async () => {
        for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
          const reply = await service.client.send(method, path)
          expectError(
            reply,
            405,
            'This path does not have the method: use one of the Allow header',
            'method_not_allowed',
          )
          expect(reply.headers.get('allow')).to.equal('POST')
        }
      })

      it('answers 413 to a body that is too large, after the key and before the parameters [body-413]', async () => {
        const body = { player_id: 'x'.repeat(70_000) }
        const reply = await post(path, body)
        expectError(reply, 413, 'Request body too large', 'body_too_large')
        expect((await service.client.post(path, 'nonsense', body)).status).to.equal(401)
      })

      it('answers a specific 400 to broken JSON, JSON that is not an object, and other content types [body-400]', async () => {
        const key = { Authorization: `Bearer ${casino.apiKey}` }
        const json = { ...key, 'Content-Type': 'application/json' }
        const valid = JSON.stringify({ player_id: 'p', prize_id: 'z', box_id: 'b' })
        const replies = await Promise.all([
          service.client.send('POST', path, { headers: json, body: '{"player_id":' }),
          service.client.send('POST', path, { headers: json, body: '[]' }),
          service.client.send('POST', path, { headers: json, body: '"text"' }),
          service.client.send('POST', path, { headers: json, body: 'null' }),
          service.client.send('POST', path, { headers: json, body: '' }),
          service.client.send('POST', path, {
            headers: { ...key, 'Content-Type': 'text/plain' },
            body: valid,
          }),
          service.client.send('POST', path, {
            headers: { ...key, 'Content-Type': 'application/x-www-form-urlencoded' },
            body: 'player_id=p&prize_id=z&box_id=b',
          }),
        ])
        for (const reply of replies) {
          expect(reply.status).to.equal(400)
          expect(reply.json).to.include({ status: 'error', message: message400 })
          expect('errors' in (reply.json as object)).to.equal(path === '/prize/order')
        }
        if (path === '/prize/order') {
          expect(replies[0].json).to.have.nested.property('errors.body[0].error', 'json')
          expect(replies[1].json).to.have.nested.property('errors.player_id[0].error', 'required')
        }
      })

      it('answers a specific 400 to a body that is not UTF-8, or declares another encoding [body-utf8]', async () => {
        const key = { Authorization: `Bearer ${casino.apiKey}` }
        const body = JSON.stringify(await valid())
        const send = (contentType: string, bytes: string | Buffer) =>
          service.client.send('POST', path, { headers: { ...key, 'Content-Type': contentType }, body: bytes })
        const broken = Buffer.from(body.replace(/"player_id":"[^"]*"/, '"player_id":"\xff"'), 'latin1')
        const replies = [
          await send('application/json', broken),
          await send('application/json', Buffer.from(`\ufeff${body}`)),
          await send('application/json', Buffer.from(body, 'utf16le')),
          await send('application/json; charset=utf-16', body),
          await send('application/json;charset="iso-8859-1"', body),
        ]
        for (const reply of replies) {
          expect(reply.status).to.equal(400)
          expect(reply.headers.get('x-error-code')).to.equal('body_malformed')
          expect(reply.json).to.include({ status: 'error', message: message400 })
        }
        for (const charset of ['charset=UTF-8', 'charset="utf-8"', 'profile=x; charset=us-ascii']) {
          const text = JSON.stringify(await valid())
          expect((await send(`application/json; ${charset}`, text)).status, charset).to.equal(200)
        }
      })

      it('accepts the same id as text and as a number [id-text-number]', async () => {
        const number = Math.floor(Math.random() * 1e12)
        const body = await valid()
        if (path === '/box/open')
          await service.factory.grant(casino.id, String(number), (body as { box_id: string }).box_id)
        else Object.assign(body, await givePrize({ playerId: String(number) }))
        expect((await post(path, { ...body, player_id: number })).status).to.equal(200)
      })

      const invalidIds = [
        1.5,
        2 ** 53,
        true,
        null,
        [],
        {},
        '',
        '   ',
        'a\u0000b',
        'a\nb',
        '\ud800',
        'x'.repeat(129),
      ]
      for (const id of invalidIds) {
        it(`refuses ${JSON.stringify(id).slice(0, 20)} as an id [id-invalid]`, async () => {
          const body = await valid()
          for (const name of Object.keys(body).filter((name) => /^(player|prize|box)_id$/.test(name))) {
            const reply = await post(path, { ...body, [name]: id })
            expect(reply.status).to.equal(400)
            expect(reply.json).to.include({ status: 'error', message: message400 })
          }
        })
      }

      it('refuses a number as an id that is too large for an exact integer [id-invalid]', async () => {
        const body = JSON.stringify({ ...(await valid()), player_id: 0 }).replace(
          '"player_id":0',
          '"player_id":1e400',
        )
        const headers = { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' }
        const reply = await service.client.send('POST', path, { headers, body })
        expect(reply.status).to.equal(400)
        if (path !== '/prize/order') return
        const message = 'player_id must be a string of 1 to 128 characters or an integer'
        expect(reply.json).to.have.deep.nested.property('errors.player_id', [
          { error: 'identifier', message },
        ])
      })

      it('answers with a request id, which is the caller’s if that is valid [request-id]', async () => {
        expect((await post(path, {})).headers.get('x-request-id')).to.match(/^req_/)
        const given = await post(path, {}, { 'X-Request-Id': 'casino-request-1' })
        expect(given.headers.get('x-request-id')).to.equal('casino-request-1')
        const odd = await post(path, {}, { 'X-Request-Id': 'a b"c' })
        expect(odd.headers.get('x-request-id')).to.match(/^req_/)
      })
    })

    describe(`Idempotency-Key: ${path}`, () => {
      const withKey = (key: string) => ({ 'Idempotency-Key': key })

      it('answers the first response again, byte for byte, and has no second effect [key-replay]', async () => {
        const body = await valid()
        const key = `key-${Math.random()}`
        const first = await post(path, body, withKey(key))
        const rows = () => service.database.event.count()
        const before = await rows()
        const again = await post(path, body, withKey(key))
        expect([first.status, again.status]).to.deep.equal([200, 200])
        expect(again.text).to.equal(first.text)
        expect(first.headers.has('idempotency-replayed')).to.equal(false)
        expect(again.headers.get('idempotency-replayed')).to.equal('true')
        expect(await rows()).to.equal(before)
      })

      it('treats a bare and a quoted key as the same [key-quoted]', async () => {
        const body = await valid()
        const key = `key-${Math.random()}`
        await post(path, body, withKey(key))
        const again = await post(path, body, withKey(`"${key}"`))
        expect(again.headers.get('idempotency-replayed')).to.equal('true')
      })

      it('answers 422 for other parameters under the same key [key-422]', async () => {
        const body = await valid()
        const key = `key-${Math.random()}`
        await post(path, body, withKey(key))
        const other = await post(path, { ...body, ...(await valid()), player_id: 'other' }, withKey(key))
        expect(other.status).to.equal(422)
        expect(other.json).to.have.all.keys('status', 'message')
      })

      it('checks the parameters before the key and the key before the prize [key-order]', async () => {
        const body = await valid()
        const key = `key-${Math.random()}`
        await post(path, body, withKey(key))
        expect((await post(path, { ...body, player_id: [] }, withKey(key))).status).to.equal(400)
        const unknown = { ...body, prize_id: 'none', box_id: 'none' }
        expect((await post(path, unknown, withKey(key))).status).to.equal(422)
      })

      it('answers 422 for another operation under the same key [key-422-operation]', async () => {
        const key = `key-${Math.random()}`
        await post(path, await valid(), withKey(key))
        const other = operations.find((operation) => operation.path !== path) ?? operations[0]
        if (other === undefined) throw new Error('no other operation')
        expect((await post(other.path, await other.valid(), withKey(key))).status).to.equal(422)
      })

      it('stores nothing for an error [key-errors]', async () => {
        const key = `key-${Math.random()}`
        expect((await post(path, {}, withKey(key))).status).to.equal(400)
        const missing = { ...(await valid()), prize_id: 'none', box_id: 'none' }
        expect((await post(path, missing, withKey(key))).status).to.equal(404)
        expect((await post(path, await valid(), withKey(key))).status).to.equal(200)
      })

      it('keeps the keys of casinos apart [key-scope]', async () => {
        const key = `key-${Math.random()}`
        await post(path, await valid(), withKey(key))
        const other = await service.factory.casino()
        const reply = await service.client.post(path, other.apiKey, await valid(), withKey(key))
        expect(reply.status).to.equal(404) // what it names is not the other casino's, but the key is new to it
      })

      for (const key of ['a b', '', 'x'.repeat(256), 'schlüssel']) {
        it(`refuses ${JSON.stringify(key).slice(0, 20)} as a key [key-invalid]`, async () => {
          const reply = await post(path, await valid(), withKey(key))
          expect(reply.status).to.equal(400)
          expect(reply.json).to.include({ status: 'error', message: message400 })
        })
      }

      it('accepts a key of 255 visible characters [key-longest]', async () => {
        const key = `${Math.random()}`.padEnd(255, '~')
        expect((await post(path, await valid(), withKey(key))).status).to.equal(200)
      })
    })
  }

  it('answers 404 to unknown paths, before asking for a key [route-404]', async () => {
    for (const path of [
      '/unknown',
      '/box',
      '/box/open/',
      '/BOX/OPEN',
      '/prize/orders',
      '/prize/order/x',
      '/%00',
      '/%zz',
    ]) {
      expectError(
        await service.client.send('POST', path),
        404,
        'No endpoint has this path: check the base URL and the path',
        'route_unknown',
      )
    }
  })

  it('treats null and blank text as absent in delivery fields [delivery-absent]', async () => {
    const optional = { state: null, phone_number: '', email: '  ', additional_notes: null }
    const order = { ...(await givePrize()), ...delivery, ...optional }
    expect((await post('/prize/order', order)).status).to.equal(200)
    const reply = await post('/prize/order', { ...order, city: '', street: null })
    expect((reply.json as { errors: object }).errors).to.have.all.keys('city', 'street')
  })

  it('refuses numbers, NUL, lone surrogates and over-long text in delivery fields [delivery-invalid]', async () => {
    const prize = await givePrize()
    for (const value of [5, true, [], {}, 'a\u0000', '\udc00', 'x'.repeat(2001)]) {
      const fields = Object.fromEntries(Object.keys(delivery).map((name) => [name, value]))
      const reply = await post('/prize/order', { ...prize, ...fields })
      expect(reply.status).to.equal(400)
      expect((reply.json as { errors: object }).errors).to.have.all.keys(...Object.keys(delivery))
    }
  })

  it('prefixes every path with BASE_PATH [base-path]', async () => {
    const based = await startService({ env: { BASE_PATH: '/rewards/v1' } })
    try {
      const { apiKey } = await based.factory.casino()
      expect((await based.client.post('/rewards/v1/box/open', apiKey, {})).status).to.equal(400)
      expect((await based.client.post('/box/open', apiKey, {})).status).to.equal(404)
    } finally {
      await based.stop()
    }
  })
})
