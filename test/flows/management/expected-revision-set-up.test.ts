import { expect } from 'chai'
import { at, complaintsOf, fieldOf, listAt } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { endpointUrl } from '../../support/casino-world.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { makeOperator } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** An object with a PUT that changes one of its texts. */
interface Replaced {
  path: string
  body: (text: string) => object
  /** The field that has the text. */
  field: string
  /** The error code while it does not exist; undefined for an object that a PUT does not make. */
  unknown?: string
}

describe('the revision that an operator expects of casinos, operators, webhook endpoints and switches', () => {
  let service: TestService
  let casinoId: string
  let made = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
    atEnd(() => service.stop())
    casinoId = (await service.factory.casino()).id
  })

  const send = (method: string, path: string, body?: object): Promise<Reply> =>
    service.client.send(method, `/admin${path}`, {
      headers: { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const put = ({ path, body }: Replaced, text: string, expected?: unknown) =>
    send('PUT', path, { ...body(text), ...(expected === undefined ? {} : { expected_revision: expected }) })
  const revisionOf = async (path: string) => Number(at(await send('GET', path), 'data.revision'))
  const expectChanged = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(409)
    expect(reply.headers.get('X-Error-Code')).to.equal('revision_changed')
  }

  const newCasino = (): Replaced => ({
    path: `/casinos/acme-${++made}`,
    body: (name) => ({ name }),
    field: 'data.name',
    unknown: 'casino_unknown',
  })
  const newEndpoint = (): Replaced => ({
    path: `/casinos/${casinoId}/webhook-endpoints/crm-${++made}`,
    body: (description) => ({ url: endpointUrl, description }),
    field: 'data.description',
    unknown: 'webhook_endpoint_unknown',
  })
  const newOperator = async (): Promise<Replaced> => ({
    path: `/operators/${(await makeOperator(service)).id}`,
    body: (name) => ({ name, role: 'viewer', casino_ids: null }),
    field: 'data.name',
  })
  /** Makes one object of each kind, at its first revision. */
  const makeOneOfEach = async () => {
    const each = [newCasino(), newEndpoint(), await newOperator()]
    for (const one of each.filter(({ unknown }) => unknown !== undefined)) await put(one, 'First')
    return each
  }
  const makeEndpoint = async (endpointId: string) => {
    const path = `/casinos/${casinoId}/webhook-endpoints/${endpointId}`
    const { status } = await send('PUT', path, { url: endpointUrl })
    expect(status).to.be.oneOf([200, 201])
    return path
  }

  it('lets a casino or an endpoint be made only if there is none', async () => {
    for (const one of [newCasino(), newEndpoint()]) {
      expectChanged(await put(one, 'Expected to be there', 1))
      expect((await send('GET', one.path)).headers.get('X-Error-Code')).to.equal(one.unknown)
      expect(at(await put(one, 'First', 0), 'data.revision')).to.equal(1)
      expectChanged(await put(one, 'Second', 0))
      expect(at(await send('GET', one.path), one.field)).to.equal('First')
    }
  })

  it('lets each be changed once at each revision, and without one at any', async () => {
    for (const one of await makeOneOfEach()) {
      expect(at(await send('GET', one.path), 'data.revision'), one.path).to.equal(1)
      expect(at(await put(one, 'Second', 1), 'data.revision'), one.path).to.equal(2)
      expectChanged(await put(one, 'Late', 1))
      expectChanged(await put(one, 'Early', 3))
      expect(at(await send('GET', one.path), one.field)).to.equal('Second')
      expect(at(await put(one, 'Third'), 'data.revision'), one.path).to.equal(3)
    }
  })

  it('lets one of several concurrent changes take effect', async () => {
    for (const one of await makeOneOfEach()) {
      const replies = await Promise.all(['A', 'B', 'C'].map((text) => put(one, text, 1)))
      expect(replies.map(({ status }) => status).sort(), one.path).to.deep.equal([200, 409, 409])
      expect(at(await send('GET', one.path), 'data.revision')).to.equal(2)
    }
  })

  it('is shown in lists', async () => {
    const [casino, endpoint, operator] = await makeOneOfEach()
    for (const one of [casino, endpoint, operator]) {
      const list = one?.path.slice(0, one.path.lastIndexOf('/')) ?? ''
      for (const revision of fieldOf(listAt(await send('GET', `${list}?limit=200`)), 'revision')) {
        expect(revision, list).to.be.at.least(1)
      }
    }
  })

  it('increases when an operator or an endpoint is switched, unless it has that state', async () => {
    const [, endpoint, operator] = await makeOneOfEach()
    for (const one of [endpoint, operator]) {
      if (one === undefined) throw new Error('nothing was made')
      for (const [move, revision] of [
        ['enable', 1],
        ['disable', 2],
        ['disable', 2],
        ['enable', 3],
      ] as const) {
        const reply = await send('POST', `${one.path}/${move}`, { reason: 'x' })
        expect(at(reply, 'data.revision'), `${one.path} ${move}`).to.equal(revision)
      }
      // Off and on again: it looks the same, but it was changed twice.
      expectChanged(await put(one, 'Late', 1))
      expectChanged(await send('POST', `${one.path}/disable`, { expected_revision: 1 }))
      expect(at(await put(one, 'Changed', 3), 'data.state'), one.path).to.not.equal('disabled')
      expect(at(await send('POST', `${one.path}/disable`), 'data.revision'), one.path).to.equal(5)
      expect(at(await put(one, 'Changed again', 5), 'data.state'), one.path).to.equal('disabled')
    }
  })

  it('lets one of several simultaneous requests switch an operator or an endpoint that all have seen', async () => {
    const [, endpoint, operator] = await makeOneOfEach()
    for (const one of [endpoint, operator]) {
      if (one === undefined) throw new Error('nothing was made')
      const seen = { expected_revision: 1, reason: 'x' }
      const replies = await Promise.all([1, 2, 3].map(() => send('POST', `${one.path}/disable`, seen)))
      expect(replies.map(({ status }) => status).sort(), one.path).to.deep.equal([200, 409, 409])
      expect(await revisionOf(one.path), one.path).to.equal(2)
    }
  })

  it('keeps a refused change of an endpoint from replacing its secrets', async () => {
    const endpoint = newEndpoint()
    await put(endpoint, 'First')
    const secrets = () => service.database.webhookSecret.findMany({ orderBy: { id: 'asc' } })
    const before = await secrets()
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    expectChanged(
      await send('PUT', endpoint.path, { ...endpoint.body('Late'), secret, expected_revision: 2 }),
    )
    expect(await secrets()).to.deep.equal(before)
  })

  it('guards the name of a sandbox, which a PUT does not make', async () => {
    const sandbox: Replaced = { ...newCasino(), path: `/casinos/${casinoId}:test` }
    expect(complaintsOf(await put(sandbox, 'Not there', 1))).to.deep.equal(['casino_id'])
    expect((await send('POST', `/casinos/${casinoId}/api-keys`, { mode: 'test' })).status).to.equal(201)
    expectChanged(await put(sandbox, 'Late', 2))
    expect(at(await put(sandbox, 'Playground', 1), 'data')).to.include({ name: 'Playground', revision: 2 })
  })

  it('must be a whole number, from 0 where the object may be new', async () => {
    for (const one of await makeOneOfEach()) {
      const wrong = [-1, 1.5, '1', null, 2 ** 31, ...(one.unknown === undefined ? [0] : [])]
      for (const expected of wrong) {
        expect(complaintsOf(await put(one, 'x', expected)), `${one.path} ${String(expected)}`).to.deep.equal([
          'expected_revision',
        ])
      }
    }
  })

  it('lets an endpoint or an operator be switched only as it was seen', async () => {
    const operator = `/operators/${(await makeOperator(service)).id}`
    const endpoint = await makeEndpoint('switched')
    for (const [path, change, on] of [
      [endpoint, { url: endpointUrl, description: 'Another' }, 'enabled'],
      [operator, { name: 'Another', role: 'viewer', casino_ids: null }, 'active'],
    ] as const) {
      const seen = { expected_revision: await revisionOf(path) }
      expect((await send('PUT', path, change)).status).to.equal(200)
      expectChanged(await send('POST', `${path}/disable`, seen))
      expect(at(await send('GET', path), 'data.state'), path).to.equal(on)
      const current = { expected_revision: await revisionOf(path) }
      const disabled = await send('POST', `${path}/disable`, current)
      expect(at(disabled, 'data.state'), path).to.equal('disabled')
      // Its state is the wanted one, but not the seen one.
      expectChanged(await send('POST', `${path}/disable`, current))
      expectChanged(await send('POST', `${path}/enable`, current))
      const switched = { expected_revision: at(disabled, 'data.revision') }
      expect((await send('POST', `${path}/disable`, switched)).status, path).to.equal(200)
      expect(at(await send('POST', `${path}/enable`, switched), 'data.state'), path).to.equal(on)
    }
  })

  it('covers the secret of an endpoint, and is expected of its rotation', async () => {
    const path = await makeEndpoint('rotated')
    const seen = { expected_revision: await revisionOf(path) }
    expect((await send('POST', `${path}/rotate-secret`, seen)).status).to.equal(201)
    expectChanged(await send('POST', `${path}/rotate-secret`, seen))
    expectChanged(await send('PUT', path, { url: endpointUrl, ...seen }))
    const count = await service.database.webhookSecret.count({ where: { casinoId, endpointId: 'rotated' } })
    expect(count).to.equal(2)
  })

  it('is never that of an endpoint which was deleted under the same id', async () => {
    const path = await makeEndpoint('again')
    await send('POST', `${path}/disable`)
    const seen = { expected_revision: await revisionOf(path) }
    expect((await send('DELETE', path)).status).to.equal(200)
    await makeEndpoint('again')
    const first = await revisionOf(path)
    expect(first).to.be.above(seen.expected_revision)
    expectChanged(await send('PUT', path, { url: endpointUrl, ...seen }))
    expectChanged(await send('POST', `${path}/disable`, seen))
    // Nor does the third one ever get a revision of the second.
    expect((await send('DELETE', path)).status).to.equal(200)
    await makeEndpoint('again')
    expect(await revisionOf(path)).to.be.above(first)
  })

  it('lets a paused partner be resumed only from the pause that was seen', async () => {
    const path = `/casinos/${casinoId}/settings/wallet`
    const wallet = { kind: 'http', url: 'https://wallet.example.com', new_secret: true }
    expect((await send('PUT', path, wallet)).status).to.equal(200)
    const pause = (reason: string) =>
      service.database.casinoSetting.updateMany({
        where: { casinoId, name: 'wallet' },
        data: { pausedAt: new Date(), pausedReason: reason, revision: { increment: 1 } },
      })
    await pause('status_401')
    const seen = { expected_revision: await revisionOf(path) }
    expect(at(await send('POST', `${path}/resume`, seen), 'data.paused_at')).to.equal(null)
    await pause('status_403')
    expectChanged(await send('POST', `${path}/resume`, seen))
    expect(at(await send('GET', path), 'data.paused_reason')).to.equal('status_403')
    expect(at(await send('POST', `${path}/resume`), 'data.paused_at')).to.equal(null)
  })
})
