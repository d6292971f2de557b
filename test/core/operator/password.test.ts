import { expect } from 'chai'
import { hashPassword, isPassword } from '../../../core/operator/password.ts'

const password = 'a password of jane'

describe('the hash of a password', () => {
  it('is another one each time, says what it cost, and has nothing of the password', async () => {
    const hashes = [await hashPassword(password), await hashPassword(password)]
    expect(new Set(hashes).size).to.equal(2)
    for (const hash of hashes) {
      expect(hash).to.match(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
      expect(await isPassword(password, hash)).to.equal(true)
      for (const other of ['', `${password} `, password.toUpperCase(), 'something else'])
        expect(await isPassword(other, hash), other).to.equal(false)
    }
  })

  it('is checked with the cost that it was made with', async () => {
    const cheap = 'scrypt$1024$8$1$AQEBAQEBAQEBAQEBAQEBAQ$'
    const { scryptSync } = await import('node:crypto')
    const hash = scryptSync(password, Buffer.alloc(16, 1), 32, { N: 1024 }).toString('base64url')
    expect(await isPassword(password, cheap + hash)).to.equal(true)
  })

  it('is the same for a character that keyboards send in two ways', async () => {
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await isPassword('cafe\u0301 au lait', hash)).to.equal(true)
  })

  it('fits no password when there is none', async () => {
    for (const text of ['', password]) expect(await isPassword(text, null)).to.equal(false)
  })
})
