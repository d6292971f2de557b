import { expect } from 'chai'
import { readSettings } from '../../local/settings.ts'

describe('the addresses that npm start lets casinos call', () => {
  const allows = (env: Record<string, string>) => readSettings(env).given['OUTBOUND_ALLOW_PRIVATE']

  it('include private ones only while no other machine can reach the service, or a variable allows it', () => {
    for (const HOST of ['', '127.0.0.1', '127.1.2.3', 'localhost', '::1'])
      expect(allows({ HOST }), HOST).to.equal('true')
    for (const HOST of ['0.0.0.0', '::', '192.0.2.7', 'rewards.example.com', '127.0.0.1.example.com']) {
      expect(allows({ HOST }), HOST).to.equal('false')
      expect(allows({ HOST, OUTBOUND_ALLOW_PRIVATE: 'true' }), HOST).to.equal('true')
    }
  })
})
