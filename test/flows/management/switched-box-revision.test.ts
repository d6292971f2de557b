import { expect } from 'chai'
import { at } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the revision that an operator expects of a box that is switched', () => {
  let service: TestService
  let casinoId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
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
  const makeBox = async () => {
    const itemId = await service.factory.item(casinoId)
    return `/casinos/${casinoId}/boxes/${await service.factory.box(casinoId, { entries: [{ itemId, weight: 1 }] })}`
  }

  it('lets one of several simultaneous requests switch a box that all have seen', async () => {
    const path = await makeBox()
    const seen = { expected_revision: await revisionOf(path) }
    const replies = await Promise.all([1, 2, 3].map(() => send('POST', `${path}/disable`, seen)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    // Off and on again: it looks the same, but it was changed twice.
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

  it('stays the same when a box is switched to the state that it has', async () => {
    const path = await makeBox()
    const first = await revisionOf(path)
    for (const [move, revision] of [
      ['enable', first],
      ['disable', first + 1],
      ['disable', first + 1],
      ['enable', first + 2],
    ] as const) {
      expect(at(await send('POST', `${path}/${move}`), 'data.revision'), move).to.equal(revision)
    }
    const seen = { expected_revision: first + 2 }
    expect((await send('POST', `${path}/enable`, seen)).status).to.equal(200)
    expect((await send('POST', `${path}/disable`, seen)).status).to.equal(200)
    // Its state is the wanted one, but not the seen one.
    expectChanged(await send('POST', `${path}/disable`, seen))
    expectChanged(await send('POST', `${path}/disable`, { expected_version: 2 }))
    expect(await revisionOf(path)).to.equal(first + 3)
    expect((await send('POST', `/casinos/${casinoId}/boxes/none/disable`)).status).to.equal(404)
  })
})
