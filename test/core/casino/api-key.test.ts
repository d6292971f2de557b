import { expect } from 'chai'
import { formatApiKey, generateApiKey, hashApiKeySecret, parseApiKey } from '../../../core/casino/api-key.ts'

describe('API keys', () => {
  it('come back from their text as they were', () => {
    for (let i = 0; i < 100; i++) {
      const key = generateApiKey()
      expect(parseApiKey(formatApiKey(key))).to.deep.equal(key)
    }
  })

  it('are refused without a look-up when one character is wrong', () => {
    const text = formatApiKey(generateApiKey())
    for (let i = 0; i < text.length; i++) {
      const wrong = text.slice(0, i) + (text[i] === 'x' ? 'y' : 'x') + text.slice(i + 1)
      expect(parseApiKey(wrong), wrong).to.equal(undefined)
    }
    for (const odd of ['', 'rk_live_', `${text} `, `${text}\n`, text.toUpperCase()]) {
      expect(parseApiKey(odd)).to.equal(undefined)
    }
  })

  it('are stored as a hash that depends on the service’s secret', () => {
    const key = generateApiKey()
    expect(hashApiKeySecret('one', key).equals(hashApiKeySecret('one', key))).to.equal(true)
    expect(hashApiKeySecret('one', key).equals(hashApiKeySecret('two', key))).to.equal(false)
    expect(hashApiKeySecret('one', key)).to.have.length(32)
  })
})
