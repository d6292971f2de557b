import { expect } from 'chai'
import {
  apiKeyModes,
  formatApiKey,
  generateApiKey,
  hashApiKeySecret,
  parseApiKey,
} from '../../../core/casino/api-key.ts'

describe('API keys', () => {
  it('are parsed from their text without a change', () => {
    for (const mode of apiKeyModes) {
      for (let i = 0; i < 100; i++) {
        const key = generateApiKey(mode)
        const text = formatApiKey(key)
        expect(text).to.match(new RegExp(`^rk_${mode}_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$`))
        expect(parseApiKey(text)).to.deep.equal(key)
      }
    }
  })

  it('of live mode have the same form as before there were test keys', () => {
    const id = '0123456789ABCDEF'
    const secret = 'abcdefghijklmnopqrstuvwxyz012345'
    const text = 'rk_live_0123456789ABCDEF_abcdefghijklmnopqrstuvwxyz0123452OV7Gd'
    expect(formatApiKey({ mode: 'live', id, secret })).to.equal(text)
    expect(parseApiKey(text)).to.deep.equal({ mode: 'live', id, secret })
    const stored = '08c49d8a14867533d4eb25af8c23c5e430d1e620cb3730630ad30b8e50512cd6'
    expect(hashApiKeySecret('secret', { mode: 'live', id, secret }).toString('hex')).to.equal(stored)
  })

  it('are refused without a look-up when their prefix names the other mode', () => {
    const secrets = new Set<string>()
    for (const [mode, other] of [
      ['live', 'test'],
      ['test', 'live'],
    ] as const) {
      const text = formatApiKey(generateApiKey(mode))
      expect(parseApiKey(text.replace(`rk_${mode}_`, `rk_${other}_`))).to.equal(undefined)
      const key = { ...generateApiKey('live'), mode }
      secrets.add(hashApiKeySecret('secret', key).toString('hex'))
      secrets.add(hashApiKeySecret('secret', { ...key, mode: other }).toString('hex'))
    }
    expect(secrets.size, 'the stored hash confirms the mode').to.equal(4)
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
