import { expect } from 'chai'
import { createSessions, sessionLifetimeMs } from '../../../api/ops/session.ts'

const secrets = {
  adminApiKey: 'the first admin key',
  hashSecret: 'a secret of at least thirty-two characters',
}

describe('a session of the operations pages', () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const clock = { now: () => new Date(nowMs) }
  const sessions = createSessions({ config: secrets, clock })

  it('is known to every process with the same secrets, until its time is over', () => {
    const token = sessions.create()
    const elsewhere = createSessions({ config: secrets, clock })
    expect(elsewhere.isValid(token)).to.equal(true)
    nowMs += sessionLifetimeMs - 1
    expect(elsewhere.isValid(token)).to.equal(true)
    nowMs += 1
    expect(elsewhere.isValid(token)).to.equal(false)
  })

  it('ends when the admin key or the secret changes', () => {
    const token = sessions.create()
    for (const change of [{ adminApiKey: 'another admin key' }, { hashSecret: 'another secret' }]) {
      expect(createSessions({ config: { ...secrets, ...change }, clock }).isValid(token)).to.equal(false)
    }
  })

  it('cannot be prolonged or made up', () => {
    const token = sessions.create()
    const [expiry = '', signature = ''] = token.split('.')
    const forged = [
      `${Number(expiry) + 1}.${signature}`,
      `9${expiry}.${signature}`,
      `${expiry}.${signature.slice(0, -2)}AA`,
      `${expiry}.${'A'.repeat(43)}`,
      `${expiry}.`,
      `${token}x`,
      `0${token}`,
      ` ${token}`,
      expiry,
      `.${signature}`,
      '',
    ]
    for (const text of forged) expect(sessions.isValid(text), text).to.equal(false)
  })
})
