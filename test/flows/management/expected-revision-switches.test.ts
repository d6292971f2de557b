import { expect } from 'chai'
import { at } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { endpointUrl } from '../../support/casino-world.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { makeOperator } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the revision that an operator expects of a switch', () => {
  let service: TestService
  let casinoId: string

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
  const revisionOf = async (path: string) => Number(at(await send('GET', path), 'data.revision'))
  const expectChanged = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(409)
    expect(reply.headers.get('X-Error-Code')).to.equal('revision_changed')
  }

  const makeEndpoint = async (endpointId: string) => {
    const path = `/casinos/${casinoId}/webhook-endpoints/${endpointId}`
    const { status } = await send('PUT', path, { url: endpointUrl })
    expect(status).to.be.oneOf([200, 201])
    return path
  }
  const makeBox = async () => {
    const itemId = await service.factory.item(casinoId)
    return `/casinos/${casinoId}/boxes/${await service.factory.box(casinoId, { entries: [{ itemId, weight: 1 }] })}`
  }
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
      expect(at(await send('POST', `${path}/disable`, current), 'data.state'), path).to.equal('disabled')
      // Repeating it is not a mistake, nor is the way back.
      expect((await send('POST', `${path}/disable`, current)).status, path).to.equal(200)
      expectChanged(await send('POST', `${path}/enable`, seen))
      expect(at(await send('POST', `${path}/enable`, current), 'data.state'), path).to.equal(on)
    }
  })

  it('lets one of several simultaneous requests switch a box that all have seen', async () => {
    const path = await makeBox()
    const seen = { expected_revision: await revisionOf(path) }
    const replies = await Promise.all([1, 2, 3].map(() => send('POST', `${path}/disable`, seen)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    // Off and on again: it looks as it did, but somebody has changed it twice.
    expect(at(await send('POST', `${path}/enable`), 'data.enabled')).to.equal(true)
    expectChanged(await send('POST', `${path}/disable`, seen))
    expect(at(await send('GET', path), 'data.enabled')).to.equal(true)
  })

  it('may include the published version of a box', async () => {
    const path = await makeBox()
    const seen = { expected_version: Number(at(await send('GET', path), 'data.version')) }
    const item = { name: 'Mug', kind: 'physical' }
    await send('PUT', `/casinos/${casinoId}/items/other`, item)
    const version = { name: 'Box', access: 'granted', entries: [{ item_id: 'other', weight: 1 }] }
    expect((await send('PUT', path, version)).status).to.equal(200)
    expectChanged(await send('POST', `${path}/disable`, seen))
    expect(at(await send('GET', path), 'data.enabled')).to.equal(true)
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
    // Nor does anything that the new one goes through lead back to it.
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
