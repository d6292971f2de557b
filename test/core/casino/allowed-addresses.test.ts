import { expect } from 'chai'
import {
  addressGroupOf,
  isInNetworks,
  normaliseNetwork,
  parseNetworks,
} from '../../../core/casino/allowed-addresses.ts'

describe('allowed addresses', () => {
  it('are kept in one form, without host bits', () => {
    const cases: Record<string, string> = {
      '192.0.2.7': '192.0.2.7/32',
      '192.0.2.7/24': '192.0.2.0/24',
      '0.0.0.0/0': '0.0.0.0/0',
      '2001:DB8:0:0:0:0:0:1': '2001:db8::1/128',
      '2001:db8::1/32': '2001:db8::/32',
      '::/0': '::/0',
    }
    for (const [text, expected] of Object.entries(cases))
      expect(normaliseNetwork(text), text).to.equal(expected)
  })

  it('are addresses or networks only', () => {
    const wrong = [
      '',
      ' ',
      'localhost',
      '192.0.2',
      '192.0.2.256',
      '0x7f.1',
      '127.1',
      '2130706433',
      '010.0.0.1/8',
      '192.0.2.1/33',
      '192.0.2.1/-1',
      '192.0.2.1/',
      '192.0.2.1/24/24',
      '192.0.2.1/2.5',
      '1.2.3.4:80',
      '2001:db8::1/129',
      'fe80::1%eth0',
      '::ffff:192.0.2.1',
      '::ffff:192.0.2.0/120',
      '[2001:db8::1]',
      '192.0.2.1\u0000',
      '*',
      '192.0.2.*',
    ]
    for (const text of wrong) expect(normaliseNetwork(text), text).to.equal(undefined)
  })

  it('match callers in one of them, in any spelling of the address', () => {
    const networks = parseNetworks(['192.0.2.0/24', '2001:db8::/32', '198.51.100.7/32'])
    const inside = [
      '192.0.2.0',
      '192.0.2.255',
      '::ffff:192.0.2.9',
      '198.51.100.7',
      '2001:DB8::1',
      '2001:db8:ffff::',
    ]
    const outside = ['192.0.3.0', '198.51.100.8', '2001:db9::', '::', 'unknown', '', '192.0.2.1, 192.0.2.2']
    for (const address of inside) expect(isInNetworks(networks, address), address).to.equal(true)
    for (const address of outside) expect(isInNetworks(networks, address), address).to.equal(false)
    expect(isInNetworks(parseNetworks(['not a network']), '192.0.2.1')).to.equal(false)
    expect(isInNetworks(parseNetworks(['0.0.0.0/0']), '2001:db8::1')).to.equal(false)
  })

  it('treat all addresses that one caller can control as one group', () => {
    expect(addressGroupOf('::ffff:192.0.2.9')).to.equal('192.0.2.9')
    expect(addressGroupOf('2001:db8:1:2:3:4:5:6')).to.equal(addressGroupOf('2001:db8:1:2::1'))
    expect(addressGroupOf('2001:db8:1:3::1')).not.to.equal(addressGroupOf('2001:db8:1:2::1'))
    expect(addressGroupOf('whatever')).to.equal(addressGroupOf(''))
  })
})
