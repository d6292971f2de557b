import { expect } from 'chai'
import { formatApiKey, generateApiKey } from '../../../core/casino/api-key.ts'
import { createFindKey, holdsKey } from '../../../core/casino/find-key.ts'

const escapesOf = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('keys where they do not belong', () => {
  const admin = 'a+b/c d%41e=\u00e9-of-the-admin'
  const findKey = createFindKey(admin)
  const key = generateApiKey()
  const text = formatApiKey(key)

  it('are found in the middle of anything, whole, and a casino’s also cut off', () => {
    for (const found of [text, `x${text}x`, text.slice(0, 30), formatApiKey(generateApiKey('test'))]) {
      expect(findKey(`?key=${found}`), found).to.match(/^[0-9A-Za-z]{16}$/)
    }
    expect(findKey(text)).to.equal(key.id)
    for (const found of [admin, `x${admin}x`, `%${admin}%`]) expect(findKey(found), found).to.equal('admin')
    for (const other of ['', 'rk_live_', admin.slice(1), admin.slice(0, -1), admin.toUpperCase()]) {
      expect(findKey(other), other).to.equal(undefined)
    }
  })

  it('are found in escapes, however deep, and beside what is none', () => {
    for (const [secret, id] of [
      [text, key.id],
      [admin, 'admin'],
    ] as const) {
      const forms = [encodeURIComponent(secret), escapesOf(secret), escapesOf(secret).toUpperCase()]
      if (id === 'admin') forms.push(new URLSearchParams({ key: secret }).toString())
      for (const form of forms) {
        for (let nested = form, depth = 0; depth < 5; depth++, nested = encodeURIComponent(nested)) {
          for (const beside of ['', '%zz', '%', '%ff', '%2']) {
            expect(findKey(`${beside}/${nested}${beside}`), `${beside}/${nested}`).to.equal(id)
          }
        }
      }
      expect(findKey(escapesOf(secret).replaceAll('%', '%2%35')), 'escapes made of escapes').to.equal(id)
    }
  })

  it('are found at every depth at no more than the price of the length', () => {
    const startedMs = performance.now()
    expect(findKey(`${'%25'.repeat(300_000)}${escapesOf(text)}`)).to.equal(key.id)
    expect(findKey(`%${'25'.repeat(300_000)}72${text.slice(1)}`)).to.equal(key.id)
    expect(performance.now() - startedMs).to.be.lessThan(2_000)
  })

  it('are found in any value of JSON and in names', () => {
    for (const value of [text, [[text]], { a: { b: admin } }, { [admin]: 1 }, [null, 1, { x: [text] }]]) {
      expect(holdsKey(findKey, value), JSON.stringify(value)).to.equal(true)
    }
    for (const value of [null, undefined, 5, true, 'text', { a: ['%', '+'] }]) {
      expect(holdsKey(findKey, value), JSON.stringify(value)).to.equal(false)
    }
  })
})
