import { expect } from 'chai'
import { isPublicAddress } from '../../../core/partner/public-address.ts'

describe('isPublicAddress', () => {
  const forbidden = {
    'this machine': ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1'],
    'neighbours on the link': ['169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    'carriers’ own networks': ['100.64.0.1', '100.127.255.255'],
    'metadata services': [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fd00:ec2::254',
    ],
    multicast: ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    'examples and measurements': ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
    'nobody yet': ['240.0.0.1', '4000::1', '5f00::1'],
    'IPv4 in IPv6': [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '2002:7f00:1::',
    ],
    NAT64: [
      '64:ff9b::127.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '64:ff9b:1::8.8.8.8',
    ],
    'Teredo and other tunnels': ['2001::1', '2001:10::1', '2001:20::1'],
    'what is no address': ['', 'localhost', '1.2.3.4.5', '8.8.8.8/8', '::1::'],
  }
  for (const [what, addresses] of Object.entries(forbidden)) {
    it(`refuses ${what}`, () => {
      expect(addresses.filter(isPublicAddress)).to.deep.equal([])
    })
  }

  it('refuses every spelling of an address in this machine', () => {
    expect(
      ['0x7f.1', '2130706433', '017700000001', '127.1', '0:0:0:0:0:0:0:1'].filter(isPublicAddress),
    ).to.deep.equal([])
  })

  it('accepts the internet, also behind NAT64 and as IPv4 in IPv6', () => {
    const all = [
      '8.8.8.8',
      '1.1.1.1',
      '172.15.0.1',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '64:ff9b::8.8.8.8',
      '::ffff:8.8.8.8',
    ]
    expect(all.filter(isPublicAddress)).to.deep.equal(all)
  })
})
