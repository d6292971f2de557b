import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { cookieOf, postForm, postLogin, testPassword } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the page for the first operator', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const right = { key: adminApiKey, name: 'Jane Miller', username: 'Jane', password: testPassword }
  const setUp = (fields: Record<string, string>) => postForm(service.client, '/ops/setup', fields)

  it('keeps the typed values except secrets, and shows each problem beside its field', async () => {
    const wrong = [
      ['key', { ...right, key: 'not the key' }, 401],
      ['name', { ...right, name: ' ' }, 400],
      ['username', { ...right, username: '"><script>' }, 400],
      ['password', { ...right, password: 'short' }, 400],
    ] as const
    for (const [field, fields, status] of wrong) {
      const reply = await setUp(fields)
      expect(reply.status, field).to.equal(status)
      expect(reply.text, field).to.match(new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
      expect(reply.text, field).not.to.contain(adminApiKey).and.not.to.contain(testPassword)
      expect(reply.text, field).not.to.contain('<script>')
      if (field !== 'name') expect(reply.text).to.contain('value="Jane Miller"')
    }
    expect(await service.database.operator.count()).to.equal(0)
  })

  it('makes an admin for all casinos with the admin key, once', async () => {
    expect((await setUp(right)).headers.get('Location')).to.equal('/ops/login')
    const again = await setUp({ ...right, username: 'other' })
    expect([again.status, again.headers.get('X-Error-Code')]).to.deep.equal([409, 'operator_exists'])
    const page = await service.client.send('GET', '/ops/setup')
    expect(page.text).to.contain('There are operators already')
    const session = cookieOf(await postLogin(service.client, { username: 'jane', password: testPassword }))
    const own = await service.client.send('GET', '/admin/session', { headers: session })
    expect(own.json).to.have.nested.include({
      'data.operator.role': 'admin',
      'data.operator.name': 'Jane Miller',
    })
    expect(await service.database.operator.count()).to.equal(1)
    const login = await postLogin(service.client, { username: 'admin', password: adminApiKey })
    expect(login.status, 'the admin key is nobody’s password').to.equal(401)
  })
})
