import { expect } from 'chai'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'

const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) })
const old = key('old', 1)
const current = key('current', 2)

describe('an envelope', () => {
  it('opens what it sealed, in its own row only', () => {
    const cipher = createEnvelopeCipher([current])
    const sealed = cipher.seal('Straße 1 😀', 'ord_1')
    expect(cipher.open(sealed, 'ord_1')).to.equal('Straße 1 😀')
    expect(() => cipher.open(sealed, 'ord_2')).to.throw()
  })

  it('never gives the same ciphertext twice', () => {
    const cipher = createEnvelopeCipher([current])
    const [a, b] = [cipher.seal('same', 'ord_1'), cipher.seal('same', 'ord_1')]
    expect(Buffer.compare(a.ciphertext, b.ciphertext)).not.to.equal(0)
    expect(Buffer.compare(a.wrappedKey, b.wrappedKey)).not.to.equal(0)
  })

  it('notices every changed byte', () => {
    const cipher = createEnvelopeCipher([current])
    const sealed = cipher.seal('text', 'ord_1')
    for (const part of ['ciphertext', 'wrappedKey'] as const) {
      for (let i = 0; i < sealed[part].length; i++) {
        const changed = Uint8Array.from(sealed[part], (byte, index) => (index === i ? byte ^ 1 : byte))
        expect(() => cipher.open({ ...sealed, [part]: changed }, 'ord_1')).to.throw()
      }
    }
  })

  it('opens with an older key a text that was sealed with it, and seals with the first', () => {
    const sealed = createEnvelopeCipher([old]).seal('text', 'ord_1')
    const rotated = createEnvelopeCipher([current, old])
    expect(rotated.open(sealed, 'ord_1')).to.equal('text')
    expect(rotated.seal('text', 'ord_1').keyId).to.equal('current')
    expect(() => createEnvelopeCipher([current]).open(sealed, 'ord_1')).to.throw('old is not configured')
  })
})
