import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('an answer of the catalogue', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const get = (path: string, headers: Record<string, string>, apiKey: string) =>
    service.client.send('GET', path, { headers: { Authorization: `Bearer ${apiKey}`, ...headers } })

  it('is replaced by a 304 without a body when the caller sends its ETag', async () => {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const boxId = await service.factory.box(id, { entries: [{ itemId, weight: 1 }] })
    for (const path of ['/boxes', `/boxes/${boxId}`]) {
      const first = await get(path, {}, apiKey)
      const tag = first.headers.get('ETag') ?? ''
      expect(tag).to.match(/^"[\w-]{43}"$/)
      const head = await service.client.send('HEAD', path, { headers: { Authorization: `Bearer ${apiKey}` } })
      expect([head.status, head.text, head.headers.get('ETag')]).to.deep.equal([200, '', tag])
      expect(head.headers.get('Content-Length')).to.equal(String(Buffer.byteLength(first.text)))
      for (const reply of [first, head]) {
        expect(reply.headers.get('Cache-Control')).to.equal('private, no-cache')
        expect(reply.headers.get('Vary')).to.equal('Authorization')
        expect(reply.headers.get('Content-Type')).to.match(/^application\/json/)
      }
      for (const known of [tag, `W/${tag}`, '*', ` * `, `"other", ${tag}`, `"a,b",W/"x",W/${tag}`]) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { Authorization: `Bearer ${apiKey}`, 'If-None-Match': known }
          const reply = await service.client.send(method, path, { headers })
          expect([reply.status, reply.text], known).to.deep.equal([304, ''])
          expect(reply.headers.get('ETag')).to.equal(tag)
          expect(reply.headers.get('Cache-Control')).to.equal('private, no-cache')
          expect(reply.headers.get('Vary')).to.equal('Authorization')
        }
      }
      for (const unknown of [
        '"other"',
        tag.slice(1, -1),
        tag.toLowerCase(),
        '',
        '"',
        `"x${tag.slice(1)}`,
        '**',
      ]) {
        expect((await get(path, { 'If-None-Match': unknown }, apiKey)).status, unknown).to.equal(200)
      }
    }
    expect((await get('/boxes', { 'If-None-Match': '*' }, 'nobody')).status).to.equal(401)
  })

  it('has another ETag as soon as its content changes', async () => {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const boxId = await service.factory.box(id, {
      entries: [{ itemId, weight: 1, stock: 1 }],
      fallbackItemId: itemId,
    })
    await service.factory.grant(id, 'p', boxId, 5)
    const tagOf = async (path: string) => (await get(path, {}, apiKey)).headers.get('ETag')
    const [boxes, player] = [await tagOf('/boxes'), await tagOf('/boxes?player_id=p')]
    expect(new Set([boxes, player, await tagOf('/boxes?player_id=q')]).size).to.equal(3)
    expect(await tagOf('/boxes')).to.equal(boxes)
    await service.client.post('/box/open', apiKey, { player_id: 'p', box_id: boxId })
    expect(await tagOf('/boxes')).not.to.equal(boxes) // the last one is gone
    const afterwards = await tagOf('/boxes?player_id=p')
    expect(afterwards).not.to.equal(player)
    await service.database.item.updateMany({ where: { id: itemId }, data: { name: 'Renamed' } })
    expect(await tagOf('/boxes?player_id=p')).not.to.equal(afterwards)
  })
})
