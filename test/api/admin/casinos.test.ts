import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { logIn } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('casinos', () => {
  let service: TestService
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    admin = createOperator(service.client, adminApiKey)
  })

  it('creates a casino, renames it, and reads it again', async () => {
    const created = await admin.put('/acme', { name: ' Acme ', unknown: true })
    expect(created.status).to.equal(200)
    expect(created.json).to.have.nested.include({
      status: 'success',
      'data.casino_id': 'acme',
      'data.name': 'Acme',
    })
    const renamed = await admin.put('/acme', { name: 'Acme 2' })
    expect(at(renamed, 'data.created_at')).to.equal(at(created, 'data.created_at'))
    expect((await admin.get('/acme')).json).to.deep.equal(renamed.json)
  })

  it('lets a casino rename itself', async () => {
    const { id, apiKey } = await service.factory.casino()
    const reply = await createOperator(service.client, apiKey).put(`/${id}`, { name: 'New' })
    expect(at(reply, 'data.name')).to.equal('New')
  })

  it('creates a casino once when many requests create it at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => admin.put('/busy', { name: `Busy ${i}` })),
    )
    expect(new Set(fieldOf(replies, 'status'))).to.deep.equal(new Set([200]))
    expect(await service.database.casino.count({ where: { id: 'busy' } })).to.equal(1)
  })

  it('names each problem with a name', async () => {
    for (const name of [undefined, null, '', '  ', 5, 'x'.repeat(201), 'a\0b', '\ud800']) {
      const reply = await admin.put('/bad', { name })
      expect(reply.status, JSON.stringify(name)).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['name'])
    }
    expect((await admin.get('/bad')).status).to.equal(404)
  })

  it('takes ids with any characters that can be stored', async () => {
    for (const id of ['a/b', 'Ünïcode 😀', '50%', "o'hara"]) {
      const reply = await admin.put(`/${encodeURIComponent(id)}`, { name: 'x' })
      expect(at(reply, 'data.casino_id')).to.equal(id)
      expect((await admin.get(`/${encodeURIComponent(id)}`)).status).to.equal(200)
    }
  })

  it('lists every casino once, page by page', async () => {
    const all = fieldOf(listAt(await admin.get('?limit=200')), 'casino_id')
    expect(all).to.include.members(['acme', 'busy', 'a/b', 'Ünïcode 😀'])
    for (const limit of [1, 2, all.length, all.length + 1]) {
      expect(await readAll(admin, '', limit, 'casino_id')).to.deep.equal(all)
    }
  })

  it('lists the casinos whose id or name begins with a text, in capital or small letters', async () => {
    for (const [id, name] of [
      ['prefix-1', 'Lucky'],
      ['PREFIX-2', 'Unlucky'],
      ['lucky_3', '100 % Prefix'],
      ['not-prefix', 'Not'],
    ] as const) {
      expect((await admin.put(`/${id}`, { name })).status).to.equal(200)
    }
    const find = async (text: string) =>
      readAll(admin, `?starts_with=${encodeURIComponent(text)}`, 1, 'casino_id')
    expect(await find('prefix')).to.have.members(['prefix-1', 'PREFIX-2'])
    expect(await find('LUCKY')).to.have.members(['prefix-1', 'lucky_3'])
    expect(await find('100 %')).to.deep.equal(['lucky_3'])
    for (const text of ['%', '_', '.*', 'no such casino']) expect(await find(text), text).to.deep.equal([])
    expect(complaintsOf(await admin.get('?starts_with='))).to.deep.equal(['starts_with'])

    const ofOne = await logIn(service, { role: 'viewer', casinoIds: ['prefix-1', 'not-prefix'] })
    await service.factory.sandbox('prefix-1')
    const path = '/admin/casinos?starts_with=prefix'
    const seen = await service.client.send('GET', path, { headers: ofOne })
    expect(fieldOf(listAt(seen), 'casino_id')).to.have.members(['prefix-1', 'prefix-1:test'])
  })

  it('refuses an invalid limit or cursor of a page', async () => {
    for (const limit of ['0', '201', '-1', '1.5', 'x', '']) {
      const reply = await admin.get(`?limit=${limit}`)
      expect(reply.status, limit).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['limit'])
    }
    const nul = Buffer.from('a\0b').toString('base64url')
    const tooLong = Buffer.from('a'.repeat(129)).toString('base64url')
    for (const cursor of ['', '%25', '!!', 'YQ==', '_w', nul, tooLong]) {
      const reply = await admin.get(`?cursor=${cursor}`)
      expect(reply.status, cursor).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['cursor'])
    }
  })
})
