import { expect } from 'chai'
import { readSettings } from '../../local/settings.ts'

describe('what npm start lets casinos call', () => {
  const allows = (env: Record<string, string>) => readSettings(env).given['OUTBOUND_ALLOW_PRIVATE']

  it('is private addresses only as long as nobody but this machine reaches it, or somebody says so', () => {
    for (const HOST of ['', '127.0.0.1', '127.1.2.3', 'localhost', '::1'])
      expect(allows({ HOST }), HOST).to.equal('true')
    for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'rewards.example.com', '127.0.0.1.example.com']) {
      expect(allows({ HOST }), HOST).to.equal('false')
      expect(allows({ HOST, OUTBOUND_ALLOW_PRIVATE: 'true' }), HOST).to.equal('true')
    }
  })
})
