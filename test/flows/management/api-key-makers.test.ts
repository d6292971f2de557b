import { expect } from 'chai'
import { keysPerDayMax, liveKeysMax } from '../../../core/casino/new-api-key.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('keys that keys create', () => {
  let service: TestService
  let nowMs = Date.UTC(2027, 0, 1)
  let casino: TestCasino
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) } })
    atEnd(() => service.stop())
    admin = createOperator(service.client, adminApiKey)
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
  })

  interface MadeKey {
    id: string
    operator: TestOperator
  }
  const keys = () => `/${casino.id}/api-keys`
  const make = async (by: TestOperator, wish: object = {}): Promise<MadeKey> => {
    const reply = await by.post(keys(), { scopes: ['play', 'manage'], ...wish })
    return {
      id: textAt(reply, 'data.key_id'),
      operator: createOperator(service.client, textAt(reply, 'data.api_key')),
    }
  }
  const inDays = (days: number) => new Date(nowMs + days * 86_400_000).toISOString()
  const works = async ({ operator }: MadeKey) => (await operator.get(`/${casino.id}`)).status === 200
  const recordOf = (key: MadeKey) => service.database.apiKey.findUniqueOrThrow({ where: { id: key.id } })

  it('name the key that created them (their maker) in the answer, in the list and in the audit trail', async () => {
    const first = await make(admin)
    const made = await first.operator.post(keys())
    expect(at(made, 'data.created_by')).to.equal(first.id)
    const madeId = textAt(made, 'data.key_id')
    const list = listAt(await admin.get(`${keys()}?limit=200`))
    const makers = Object.fromEntries(
      fieldOf(list, 'key_id').map((id, index) => [String(id), fieldOf(list, 'created_by')[index]]),
    )
    expect(makers).to.include({ [first.id]: 'admin', [madeId]: first.id })
    const outcomes = fieldOf(listAt(await admin.get(`/${casino.id}/audit?limit=200`)), 'outcome')
    expect(outcomes).to.include.members([`201 made ${first.id}`, `201 made ${madeId}`])
  })

  it('expire when their maker expires, or earlier if the request says so, but never later', async () => {
    const maker = await make(admin, { expires_at: inDays(2) })
    expect((await recordOf(await make(maker.operator))).expiresAt?.toISOString()).to.equal(inDays(2))
    const sooner = await make(maker.operator, { expires_at: inDays(1) })
    expect((await recordOf(sooner)).expiresAt?.toISOString()).to.equal(inDays(1))
    const later = await maker.operator.post(keys(), { expires_at: inDays(3) })
    expect([later.status, complaintsOf(later)]).to.deep.equal([400, ['expires_at']])
  })

  it('may be used only from the addresses of their maker', async () => {
    const allowed = ['127.0.0.0/8', '2001:db8::/32']
    const maker = await make(admin, { allowed_addresses: allowed })
    expect((await recordOf(await make(maker.operator))).allowedAddresses).to.deep.equal(allowed)
    await make(maker.operator, { allowed_addresses: ['127.0.0.1', '2001:db8:1::/48'] })
    for (const wider of [[], ['10.0.0.1'], ['127.0.0.1', '0.0.0.0/0'], ['126.0.0.0/7'], ['::/0']]) {
      const reply = await maker.operator.post(keys(), { allowed_addresses: wider })
      expect([reply.status, complaintsOf(reply)], wider.join()).to.deep.equal([400, ['allowed_addresses']])
    }
  })

  it('are revoked with their maker, as are the keys that they created, but no other keys are', async () => {
    const maker = await make(admin)
    const child = await make(maker.operator)
    const grandchild = await make(child.operator)
    const inSandbox = await maker.operator.post(keys(), { mode: 'test' })
    const other = await make(admin)
    const reply = await admin.delete(`${keys()}/${maker.id}`)
    const gone = [child.id, grandchild.id, textAt(inSandbox, 'data.key_id')].sort()
    expect(at(reply, 'data.also_revoked')).to.deep.equal(gone)
    nowMs += 3_000
    expect([
      await works(maker),
      await works(child),
      await works(grandchild),
      await works(other),
    ]).to.deep.equal([false, false, false, true])
    const outcomes = fieldOf(listAt(await admin.get(`/${casino.id}/audit?limit=200`)), 'outcome')
    expect(outcomes).to.include(`200 also revoked ${gone.join(' ')}`)
    expect(at(await admin.delete(`${keys()}/${maker.id}`), 'data.also_revoked')).to.deep.equal([])
  })

  it('pass to the successor when their maker is rotated, and continue to work', async () => {
    const maker = await make(admin)
    const child = await make(maker.operator)
    const rotated = await admin.post(`${keys()}/${maker.id}/rotate`, { overlap_seconds: 60 })
    const successor: MadeKey = {
      id: textAt(rotated, 'data.key_id'),
      operator: createOperator(service.client, textAt(rotated, 'data.api_key')),
    }
    expect(at(rotated, 'data.created_by')).to.equal('admin')
    expect(at(rotated, 'data.rotated_from')).to.equal(maker.id)
    nowMs += 61_000
    expect([await works(maker), await works(child), await works(successor)]).to.deep.equal([
      false,
      true,
      true,
    ])
    const revoked = await admin.delete(`${keys()}/${successor.id}`)
    expect(at(revoked, 'data.also_revoked')).to.deep.equal([child.id])
  })

  it('are revoked with a maker that was rotated, while the maker’s successor still works', async () => {
    const maker = await make(admin)
    const child = await make(maker.operator)
    const successor = textAt(await admin.post(`${keys()}/${maker.id}/rotate`), 'data.key_id')
    expect(at(await admin.delete(`${keys()}/${maker.id}`), 'data.also_revoked')).to.deep.equal([child.id])
    const { revokedAt } = await service.database.apiKey.findUniqueOrThrow({ where: { id: successor } })
    expect(revokedAt).to.equal(null)
  })

  const rotate = async (by: TestOperator, key: MadeKey, wish: object = {}): Promise<MadeKey> => {
    const reply = await by.post(`${keys()}/${key.id}/rotate`, wish)
    return {
      id: textAt(reply, 'data.key_id'),
      operator: createOperator(service.client, textAt(reply, 'data.api_key')),
    }
  }

  it('are revoked with the key that requested their rotation, because its holder may know them', async () => {
    const leaked = await make(admin)
    const sibling = await make(admin)
    const ofItself = await rotate(leaked.operator, leaked)
    const again = await rotate(ofItself.operator, ofItself, { overlap_seconds: 0 })
    const ofSibling = await rotate(again.operator, sibling)
    const child = await make(ofSibling.operator)
    const byAdmin = await rotate(admin, sibling)
    const record = await recordOf(ofSibling)
    expect([record.createdBy, record.rotatedFrom]).to.deep.equal(['admin', sibling.id])
    const shown = listAt(await admin.get(`${keys()}?limit=200`))
    const rotators = new Map(fieldOf(shown, 'key_id').map((id, n) => [id, fieldOf(shown, 'rotated_by')[n]]))
    expect([ofSibling, byAdmin, leaked].map(({ id }) => rotators.get(id))).to.deep.equal([
      again.id,
      'admin',
      null,
    ])
    // The leaked key and its first replacement have ended by then; the later keys have not.
    nowMs += 61_000
    const reply = await admin.delete(`${keys()}/${leaked.id}`)
    expect(at(reply, 'data.also_revoked')).to.deep.equal([again.id, ofSibling.id, child.id].sort())
    nowMs += 3_000
    expect([await works(again), await works(ofSibling), await works(child)]).to.deep.equal([
      false,
      false,
      false,
    ])
    expect([await works(byAdmin), await works(sibling)]).to.deep.equal([true, true])
  })

  it('leave the keys from which they were rotated valid when they are revoked', async () => {
    const first = await make(admin)
    const second = await rotate(first.operator, first)
    const third = await rotate(second.operator, second)
    const reply = await admin.delete(`${keys()}/${third.id}`)
    expect(at(reply, 'data.also_revoked')).to.deep.equal([])
    expect([await works(first), await works(second)]).to.deep.equal([true, true])
  })

  it('are revoked with their maker or any later key of its chain of rotations, however long', async () => {
    const makeChain = async () => {
      const first = await make(admin)
      const second = await rotate(admin, first)
      const chain = [first, second, await rotate(admin, second)]
      const children = await Promise.all(chain.map(({ operator }) => make(operator)))
      return { ids: chain.map(({ id }) => id), childIds: children.map(({ id }) => id) }
    }
    for (const place of [0, 1, 2]) {
      const { ids, childIds } = await makeChain()
      const reply = await admin.delete(`${keys()}/${ids[place] ?? ''}`)
      expect(at(reply, 'data.also_revoked')).to.deep.equal(childIds.slice(0, place + 1).sort())
      const left = await service.database.apiKey.findMany({ where: { id: { in: ids }, revokedAt: null } })
      expect(left.map(({ id }) => id).sort()).to.deep.equal(ids.filter((_, n) => n !== place).sort())
    }
  })

  it('are limited in number per day, except those that the admin creates', async () => {
    const maker = await make(admin)
    const ended = (n: number) => ({
      id: `${maker.id}-${n}`,
      casinoId: casino.id,
      secretHash: Buffer.alloc(32),
      scopes: ['play'],
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs),
      createdBy: 'admin',
      rotatedBy: maker.id,
    })
    const spent = Array.from({ length: keysPerDayMax - 1 }, (_, n) => ended(n))
    await service.database.apiKey.createMany({ data: spent })
    const last = await make(maker.operator)
    for (const path of [keys(), `${keys()}/${last.id}/rotate`]) {
      const reply = await maker.operator.post(path, { overlap_seconds: 0 })
      expect([reply.status, reply.headers.get('X-Error-Code')], path).to.deep.equal([409, 'api_key_limit'])
    }
    expect(await works(await rotate(admin, last))).to.equal(true)
    nowMs += 86_400_001
    expect(await works(await make(maker.operator))).to.equal(true)
  })

  it('expire no later than the successor of their maker', async () => {
    const maker = await make(admin)
    const child = await make(maker.operator)
    await admin.post(`${keys()}/${maker.id}/rotate`, { overlap_seconds: 0, expires_at: inDays(1) })
    expect((await recordOf(child)).expiresAt?.toISOString()).to.equal(inDays(1))
  })

  it('cannot live longer, or be used from other addresses, by rotation', async () => {
    const maker = await make(admin, { expires_at: inDays(2), allowed_addresses: ['127.0.0.0/8'] })
    const rotate = `${keys()}/${maker.id}/rotate`
    const longer = await maker.operator.post(rotate, { expires_at: inDays(3) })
    expect([longer.status, complaintsOf(longer)]).to.deep.equal([400, ['expires_at']])
    const wider = await maker.operator.post(rotate, { allowed_addresses: [] })
    expect([wider.status, complaintsOf(wider)]).to.deep.equal([400, ['allowed_addresses']])
    const stronger = await make(admin)
    const stolen = await maker.operator.post(`${keys()}/${stronger.id}/rotate`)
    expect([stolen.status, stolen.headers.get('X-Error-Code')]).to.deep.equal([403, 'api_key_wider'])
    expect(await works(stronger)).to.equal(true)
  })

  it('are limited to a hundred valid ones, however many are requested in parallel', async () => {
    const maker = await make(admin)
    await Promise.all(
      Array.from({ length: liveKeysMax - 10 }, () => service.factory.apiKey(casino.id, ['play'])),
    )
    await service.factory.apiKey(casino.id, ['play'], { revokedAt: new Date(nowMs) })
    await service.factory.apiKey(casino.id, ['play'], { expiresAt: new Date(nowMs) })
    const modes = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 'live' : 'test'))
    const replies = await Promise.all(modes.map((mode) => maker.operator.post(keys(), { mode })))
    const made = replies.filter(({ status }) => status === 201)
    // The casino's first key and the maker are there as well.
    expect(made).to.have.lengthOf(8)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([409, 'api_key_limit'])
    }
    const path = `${keys()}/${maker.id}`
    expect((await admin.post(`${path}/rotate`)).headers.get('X-Error-Code')).to.equal('api_key_limit')
    expect((await admin.post(`${path}/rotate`, { overlap_seconds: 0 })).status).to.equal(201)
  })

  it('cannot be created by a key that is being revoked', async () => {
    const maker = await make(admin)
    const [, ...replies] = await Promise.all([
      admin.delete(`${keys()}/${maker.id}`),
      ...Array.from({ length: 5 }, () => maker.operator.post(keys())),
    ])
    for (const reply of replies) expect(reply.status).to.be.oneOf([201, 401])
    const left = await service.database.apiKey.count({ where: { createdBy: maker.id, revokedAt: null } })
    expect(left).to.equal(0)
  })
})
