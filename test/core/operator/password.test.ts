import { scryptSync } from 'node:crypto'
import { expect } from 'chai'
import { hashPassword, isPassword } from '../../../core/operator/password.ts'

const password = 'a password of jane'

describe('the hash of a password', () => {
  it('is different each time, names its cost, and contains no part of the password', async () => {
    const hashes = await Promise.all([hashPassword(password), hashPassword(password)])
    expect(new Set(hashes).size).to.equal(2)
    for (const hash of hashes) expect(hash).to.match(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  })

  it('is checked with the cost that it was created with, and matches no other password', async () => {
    const key = scryptSync(password, Buffer.alloc(16, 1), 32, { N: 1024 }).toString('base64url')
    const cheap = `scrypt$1024$8$1$AQEBAQEBAQEBAQEBAQEBAQ$${key}`
    expect(await isPassword(password, cheap)).to.equal(true)
    for (const other of ['', `${password} `, password.toUpperCase(), 'something else'])
      expect(await isPassword(other, cheap), other).to.equal(false)
  })

  it('matches the password, also with a character in the other form that keyboards send', async () => {
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await isPassword('cafe\u0301 au lait', hash)).to.equal(true)
  })

  it('does not match any password when the hash is missing', async () => {
    expect(await isPassword('', null)).to.equal(false)
  })
})
