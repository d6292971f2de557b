import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createOpenBoxes } from '../../../core/box/open-boxes.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import type { TestCasino, TestEntry } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, textAt } from '../admin/operator.ts'

describe('X-Test-Outcome', () => {
  let service: TestService
  let live: TestCasino
  let sandbox: TestCasino
  let players = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    live = await service.factory.casino()
    const path = `/admin/casinos/${live.id}/api-keys`
    const created = await service.client.post(path, live.apiKey, { mode: 'test', scopes: ['play'] })
    sandbox = { id: `${live.id}:test`, apiKey: textAt(created, 'data.api_key') }
  })

  const item = (casino: TestCasino) => service.factory.item(casino.id)
  const limitedBox = (casino: TestCasino, entries: TestEntry[], fallbackItemId?: string) =>
    service.factory.box(casino.id, {
      entries,
      limit: { count: 10, period: 'lifetime' },
      ...(fallbackItemId === undefined ? {} : { fallbackItemId }),
    })
  const open = (casino: TestCasino, boxId: string, headers: Record<string, string>, playerId?: string) =>
    service.client.post(
      '/box/open',
      casino.apiKey,
      { player_id: playerId ?? `player-${++players}`, box_id: boxId },
      headers,
    )
  const outcome = (itemId: string) => ({ 'X-Test-Outcome': itemId })
  const codeOf = (reply: Reply) => reply.headers.get('X-Error-Code')

  it('decides the prize of a test key at any odds, and the evidence says so', async () => {
    const [often, seldom] = [await item(sandbox), await item(sandbox)]
    const boxId = await limitedBox(sandbox, [
      { itemId: often, weight: 2 ** 50 },
      { itemId: seldom, weight: 1 },
      { itemId: seldom, weight: 2 },
    ])
    const forced = await open(sandbox, boxId, outcome(seldom))
    expect([forced.status, at(forced, 'prize.item_id')]).to.deep.equal([200, seldom])
    expect(at(forced, 'opening.forced')).to.equal(true)
    const evidence = await service.client.send('GET', `/fairness/openings/${textAt(forced, 'opening.id')}`, {
      headers: { Authorization: `Bearer ${sandbox.apiKey}` },
    })
    expect(evidence.json).to.have.nested.include({ 'data.forced': true, 'data.position': 2 })
    const drawn = await open(sandbox, boxId, {})
    expect([at(drawn, 'prize.item_id'), at(drawn, 'opening.forced')]).to.deep.equal([often, undefined])
  })

  it('uses up the remaining stock, then the fallback', async () => {
    const [rare, often, fallback] = [await item(sandbox), await item(sandbox), await item(sandbox)]
    const entries = [
      { itemId: often, weight: 2 ** 50 },
      { itemId: rare, weight: 1, stock: 1 },
    ]
    const boxId = await limitedBox(sandbox, entries, fallback)
    const won = []
    for (let i = 0; i < 3; i++) won.push(at(await open(sandbox, boxId, outcome(rare)), 'prize.item_id'))
    expect(won).to.deep.equal([rare, fallback, fallback])
  })

  it('needs an entitlement and uses it up', async () => {
    const itemId = await item(sandbox)
    const boxId = await service.factory.box(sandbox.id, { entries: [{ itemId, weight: 1 }] })
    expect(codeOf(await open(sandbox, boxId, outcome(itemId), 'p'))).to.equal('opening_not_entitled')
    await service.factory.grant(sandbox.id, 'p', boxId, 1)
    expect((await open(sandbox, boxId, outcome(itemId), 'p')).status).to.equal(200)
    expect(codeOf(await open(sandbox, boxId, outcome(itemId), 'p'))).to.equal('opening_not_entitled')
  })

  it('is refused when the box does not have the item, and uses up nothing', async () => {
    const [itemId, other] = [await item(sandbox), await item(sandbox)]
    const boxId = await service.factory.box(sandbox.id, { entries: [{ itemId, weight: 1 }] })
    await service.factory.grant(sandbox.id, 'careful', boxId, 1)
    for (const wrong of [other, itemId.toUpperCase(), `${itemId}, ${itemId}`, '0']) {
      const refused = await open(sandbox, boxId, outcome(wrong), 'careful')
      expect([refused.status, codeOf(refused)], wrong).to.deep.equal([400, 'test_outcome_unknown'])
    }
    expect((await open(sandbox, boxId, outcome(itemId), 'careful')).status).to.equal(200)
  })

  it('must be an id', async () => {
    const boxId = await limitedBox(sandbox, [{ itemId: await item(sandbox), weight: 1 }])
    for (const wrong of ['', ' ', 'x'.repeat(129), 'tab\there', '\u0085']) {
      const refused = await open(sandbox, boxId, outcome(wrong))
      expect([refused.status, codeOf(refused)], JSON.stringify(wrong)).to.deep.equal([
        400,
        'parameters_invalid',
      ])
    }
  })

  it('may be any id: in UTF-8 where it is not ASCII', async () => {
    const id = 'Ключ 🔑'
    await service.database.item.create({ data: { casinoId: sandbox.id, id, name: 'Key', kind: 'none' } })
    const boxId = await limitedBox(sandbox, [
      { itemId: await item(sandbox), weight: 2 ** 50 },
      { itemId: id, weight: 1 },
    ])
    const forced = await open(sandbox, boxId, outcome(Buffer.from(id).toString('latin1')))
    expect(at(forced, 'prize.item_id')).to.equal(id)
  })

  it('is part of the request that an idempotency key stands for', async () => {
    const [one, other] = [await item(sandbox), await item(sandbox)]
    const boxId = await limitedBox(sandbox, [
      { itemId: one, weight: 1 },
      { itemId: other, weight: 1 },
    ])
    const key = { 'Idempotency-Key': 'outcome-1' }
    const first = await open(sandbox, boxId, { ...key, ...outcome(one) }, 'p')
    const again = await open(sandbox, boxId, { ...key, ...outcome(one) }, 'p')
    expect([again.status, again.text]).to.deep.equal([200, first.text])
    for (const headers of [outcome(other), {}]) {
      const reply = await open(sandbox, boxId, { ...key, ...headers }, 'p')
      expect([reply.status, codeOf(reply)]).to.deep.equal([422, 'idempotency_key_reused'])
    }
  })

  describe('from a live key', () => {
    let often: string
    let seldom: string
    let boxId: string

    before(async () => {
      often = await item(live)
      seldom = await item(live)
      boxId = await limitedBox(live, [
        { itemId: often, weight: 2 ** 50 },
        { itemId: seldom, weight: 1 },
      ])
    })

    it('is ignored, also when it is invalid [test-outcome-ignored]', async () => {
      for (const value of [seldom, 'no-such-item', '', 'x'.repeat(1_000), '\u0085', `${seldom}, ${seldom}`]) {
        const reply = await open(live, boxId, outcome(value))
        expect([reply.status, at(reply, 'prize.item_id')], value).to.deep.equal([200, often])
        expect(reply.text).not.to.contain('forced')
      }
      expect(await service.database.opening.count({ where: { casinoId: live.id, forced: true } })).to.equal(0)
    })

    it('is not part of the request that an idempotency key stands for', async () => {
      const key = { 'Idempotency-Key': 'live-1' }
      const first = await open(live, boxId, { ...key, ...outcome(seldom) }, 'p')
      expect((await open(live, boxId, key, 'p')).text).to.equal(first.text)
    })

    it('is ignored in every form that headers, queries and bodies allow', async () => {
      const body = (more: object) => JSON.stringify({ player_id: `raw-${++players}`, box_id: boxId, ...more })
      const headers = [
        `X-Test-Outcome: ${seldom}\r\nX-Test-Outcome: ${seldom}`,
        `x-test-outcome: ${seldom}\r\nX-TEST-OUTCOME: no-such-item`,
        `X-Test-Outcome:${seldom}`,
        `X_Test_Outcome: ${seldom}`,
        `X-Test-Outcome: ${seldom}\r\nX-Mode: test\r\nX-Casino-Id: ${sandbox.id}`,
        `Connection: close, X-Test-Outcome\r\nX-Test-Outcome: ${seldom}`,
      ]
      for (const header of headers) expect(await openRaw(header, '/box/open', body({}))).to.contain(often)
      for (const query of [`x-test-outcome=${seldom}`, `mode=test&forced_item_id=${seldom}`]) {
        expect(await openRaw('X: y', `/box/open?${query}`, body({}))).to.contain(often)
      }
      const smuggled = { forcedItemId: seldom, forced_item_id: seldom, mode: 'test', sandboxOf: live.id }
      expect(await openRaw('X: y', '/box/open', body(smuggled))).to.contain(often)
      expect(await service.database.opening.count({ where: { casinoId: live.id, forced: true } })).to.equal(0)
    })

    it('could not decide even if a program allowed it: the database refuses', async () => {
      const { processWaiting: openBoxes } = createOpenBoxes({ ...service.deps, responseTo: () => '' })
      const who = { casinoId: live.id, playerId: 'forcing' }
      const request = { ...who, boxId, forcedItemId: seldom, claim: undefined, actor: 'test', requestId: 'r' }
      const [refused] = await openBoxes([request])
      expect(refused)
        .to.have.nested.property('error.cause')
        .that.matches(/outside of a sandbox/)
      const { opening, prize } = service.database
      expect([await opening.count({ where: who }), await prize.count({ where: who })]).to.deep.equal([0, 0])
    })

    it('is refused together with a prefix that was changed to look like a test key’s', async () => {
      const retyped = { ...live, apiKey: live.apiKey.replace('rk_live_', 'rk_test_') }
      const reply = await open(retyped, boxId, outcome(seldom))
      expect([reply.status, codeOf(reply)]).to.deep.equal([401, 'api_key_invalid'])
    })
  })

  /** The body of the answer to a request with headers as they stand. */
  async function openRaw(headers: string, path: string, body: string): Promise<string> {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${live.apiKey}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n\r\n${body}`,
    )
    const answer = await text(socket)
    expect(answer).to.match(/^HTTP\/1.1 200 /)
    return answer
  }
})
