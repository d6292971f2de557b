import { expect } from 'chai'
import { ConfigError, readConfig } from '../../../core/platform/config.ts'
import { createTestEnv } from '../../support/config.ts'
import { startService } from '../../support/service.ts'

const path = '/.well-known/security.txt'

describe('security.txt', () => {
  it('names the contact of the service’s operator, and expires in some months', async () => {
    const contact = 'https://example.com/report?from=security.txt'
    const clock = { now: () => new Date('2026-11-20T12:34:56Z') }
    const service = await startService({ env: { SECURITY_CONTACT: contact }, clock })
    try {
      const reply = await service.client.send('GET', path)
      expect([reply.status, reply.headers.get('Content-Type')]).to.deep.equal([
        200,
        'text/plain; charset=utf-8',
      ])
      expect(reply.text).to.equal(`Contact: ${contact}\nExpires: 2027-02-18T00:00:00.000Z\n`)
    } finally {
      await service.stop()
    }
  })

  it('is a 404 while no contact is configured', async () => {
    const service = await startService({ env: { SECURITY_CONTACT: '' } })
    try {
      const reply = await service.client.send('GET', path)
      expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([404, 'route_unknown'])
    } finally {
      await service.stop()
    }
  })

  it('refuses a contact that is malformed or contains more than one line', async () => {
    const env = await createTestEnv('postgres')
    for (const contact of [
      'security@example.com',
      'http://example.com/',
      'mailto:a@b.c\nContact: mailto:x@y.z',
    ]) {
      expect(() => readConfig({ ...env, SECURITY_CONTACT: contact }), contact).to.throw(
        ConfigError,
        'SECURITY_CONTACT',
      )
    }
  })
})
