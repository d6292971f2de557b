import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect } from 'chai'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import {
  isSigningSecret,
  newSigningSecret,
  signedHeaders,
  verifySignature,
} from '../../../core/partner/signature.ts'
import { anyUnicode } from '../../support/any-unicode.ts'

const now = new Date('2026-11-20T12:00:00.700Z')
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const message = { id: 'evt_1', sentAt: now, body: '{"type":"prize.won"}' }

describe('signatures of messages', () => {
  it('are computed as the specification says', () => {
    // The example of the Standard Webhooks specification, 1.0.0.
    const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      sentAt: new Date(1614265330 * 1000),
      body: '{"test": 2432232314}',
    })
    expect(headers).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('are accepted by the library of Standard Webhooks, with each of several secrets', () => {
    const secrets = [newSigningSecret(), newSigningSecret()]
    const headers = signedHeaders(secrets, { ...message, sentAt: new Date() })
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(message.body, headers)).to.deep.equal({ type: 'prize.won' })
    }
    expect(() => new Webhook(newSigningSecret()).verify(message.body, headers)).to.throw('No matching')
  })

  it('are accepted by the service itself, for any body', () => {
    fc.assert(
      fc.property(anyUnicode(), fc.uuid(), (body, id) => {
        const secret = newSigningSecret()
        const headers = signedHeaders([newSigningSecret(), secret], { id, sentAt: now, body })
        expect(verifySignature([secret], headers, body, now)).to.deep.equal({ kind: 'valid', id })
        expect(verifySignature([secret], headers, `${body} `, now).kind).to.equal('invalid')
      }),
    )
  })

  it('take the same amount of work to refuse with any number of secrets', () => {
    const { createHmac, timingSafeEqual } = crypto
    const work = { signed: 0, compared: 0 }
    crypto.createHmac = (...args) => ((work.signed += 1), createHmac(...args))
    crypto.timingSafeEqual = (...args) => ((work.compared += 1), timingSafeEqual(...args))
    syncBuiltinESMExports()
    try {
      const forged = signedHeaders([newSigningSecret()], message)['webhook-signature'] ?? ''
      for (const given of [1, 3, 12]) {
        const headers = {
          'webhook-id': message.id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': Array.from({ length: given }, () => forged).join(' '),
        }
        for (const count of [0, 1, 2]) {
          const secrets = Array.from({ length: count }, newSigningSecret)
          Object.assign(work, { signed: 0, compared: 0 })
          expect(verifySignature(secrets, headers, message.body, now).kind).to.equal('invalid')
          expect(work, `${given} signatures, ${count} secrets`).to.deep.equal({
            signed: 2,
            compared: 2 * Math.min(given, 10),
          })
        }
      }
    } finally {
      Object.assign(crypto, { createHmac, timingSafeEqual })
      syncBuiltinESMExports()
    }
  })

  it('are accepted from a secret that is being replaced', () => {
    const [old, next] = [newSigningSecret(), newSigningSecret()]
    const headers = signedHeaders([old], message)
    expect(verifySignature([next, old], headers, message.body, now).kind).to.equal('valid')
    expect(verifySignature([next], headers, message.body, now)).to.deep.equal({
      kind: 'invalid',
      problem: 'signature_wrong',
    })
    expect(verifySignature([], headers, message.body, now).kind).to.equal('invalid')
  })

  it('are accepted with five minutes of difference between the clocks and no more', () => {
    const secret = newSigningSecret()
    const headers = signedHeaders([secret], message)
    const problemAt = (seconds: number) => {
      const result = verifySignature([secret], headers, message.body, secondsLater(seconds))
      return result.kind === 'invalid' ? result.problem : undefined
    }
    expect([-300, 0, 300].map(problemAt)).to.deep.equal([undefined, undefined, undefined])
    expect([-301, 301].map(problemAt)).to.deep.equal(
      Array.from({ length: 2 }, () => 'timestamp_out_of_tolerance'),
    )
  })

  it('are refused with the problem of their headers', () => {
    const secret = newSigningSecret()
    const good = signedHeaders([secret], message)
    const problemOf = (changes: Record<string, string>) => {
      const result = verifySignature([secret], { ...good, ...changes }, message.body, now)
      return result.kind === 'invalid' ? result.problem : undefined
    }
    for (const name of Object.keys(good)) expect(problemOf({ [name]: '' })).to.equal('headers_missing')
    for (const timestamp of ['soon', '1e9', '-1', '1.5', '9'.repeat(400)])
      expect(problemOf({ 'webhook-timestamp': timestamp })).to.equal('timestamp_invalid')
    for (const signature of ['v1', 'v1,', ',', 'v2,abc', 'v1,ä'.repeat(500), ' '.repeat(500)])
      expect(problemOf({ 'webhook-signature': signature })).to.equal('signature_wrong')
    expect(problemOf({ 'webhook-id': 'evt_2' })).to.equal('signature_wrong')
  })

  it('are required for sending', () => {
    expect(() => signedHeaders([], message)).to.throw('nothing to sign with')
  })

  it('need a secret of the documented form', () => {
    expect(isSigningSecret(newSigningSecret())).to.equal(true)
    expect(newSigningSecret()).to.not.equal(newSigningSecret())
    const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
    expect([23, 24, 64, 65].map((bytes) => isSigningSecret(secretOf(bytes)))).to.deep.equal([
      false,
      true,
      true,
      false,
    ])
    for (const text of ['', 'whsec_', secretOf(32).slice(6), secretOf(32).slice(0, -1), `${secretOf(32)} `])
      expect(isSigningSecret(text), text).to.equal(false)
  })
})
