import { expect } from 'chai'
import { formatApiKey, generateAdminKey, generateApiKey } from '../../../core/casino/api-key.ts'
import { findKeyId, holdsKey } from '../../../core/casino/find-key.ts'

const escapesOf = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('misplaced keys', () => {
  const key = generateApiKey()
  const text = formatApiKey(key)
  const admin = generateAdminKey()

  it('are found in the middle of any text, whole or cut off', () => {
    for (const found of [text, `x${text}x`, text.slice(0, 30), formatApiKey(generateApiKey('test'))]) {
      expect(findKeyId(`?key=${found}`), found).to.match(/^[0-9A-Za-z]{16}$/)
    }
    expect(findKeyId(text)).to.equal(key.id)
    for (const found of [admin, `x${admin}x`, `%${admin}%`, admin.slice(0, 30)]) {
      expect(findKeyId(found), found).to.equal('admin')
    }
    for (const other of ['', 'rk_live_', 'rk_admin_', text.slice(1), admin.slice(1), admin.toUpperCase()]) {
      expect(findKeyId(other), other).to.equal(undefined)
    }
  })

  it('are found in escapes, however deep, and beside text that is not a key', () => {
    for (const [secret, id] of [
      [text, key.id],
      [admin, 'admin'],
    ] as const) {
      for (const form of [escapesOf(secret), escapesOf(secret).toUpperCase()]) {
        for (let nested = form, depth = 0; depth < 5; depth++, nested = encodeURIComponent(nested)) {
          for (const beside of ['', '%zz', '%', '%ff', '%2']) {
            expect(findKeyId(`${beside}/${nested}${beside}`), `${beside}/${nested}`).to.equal(id)
          }
        }
      }
      expect(findKeyId(escapesOf(secret).replaceAll('%', '%2%35')), 'escapes made of escapes').to.equal(id)
    }
  })

  it('are found at every depth in a time that grows only with the length', () => {
    const startedMs = performance.now()
    expect(findKeyId(`${'%25'.repeat(300_000)}${escapesOf(text)}`)).to.equal(key.id)
    expect(findKeyId(`%${'25'.repeat(300_000)}72${text.slice(1)}`)).to.equal(key.id)
    expect(performance.now() - startedMs).to.be.lessThan(2_000)
  })

  it('are found in any value of JSON and in names', () => {
    for (const value of [text, [[text]], { a: { b: admin } }, { [admin]: 1 }, [null, 1, { x: [text] }]]) {
      expect(holdsKey(value), JSON.stringify(value)).to.equal(true)
    }
    for (const value of [null, undefined, 5, true, 'text', { a: ['%', '+'] }]) {
      expect(holdsKey(value), JSON.stringify(value)).to.equal(false)
    }
  })
})
