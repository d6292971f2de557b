import { expect } from 'chai'
import { parseKeptUrl, parseOutboundUrl } from '../../../core/partner/outbound-url.ts'

const problemOf = (text: string, allowPrivateAddresses = false) => {
  const parsed = parseOutboundUrl(text, { allowPrivateAddresses })
  return 'problem' in parsed ? parsed.problem : undefined
}

describe('parseOutboundUrl', () => {
  it('accepts https URLs with a port, path and query', () => {
    for (const url of [
      'https://wallet.example',
      'https://wallet.example:8443/a/b?c=d',
      'https://[2606:4700::1]/',
      'https://münchen.example/',
    ]) {
      expect(problemOf(url), url).to.equal(undefined)
    }
  })

  it('accepts port 443 and those from 1024 up, and any where private addresses are allowed', () => {
    const problem = 'must use port 443, or one from 1024 up'
    for (const port of [1, 22, 25, 80, 444, 993, 1023]) {
      expect(problemOf(`https://wallet.example:${port}`), String(port)).to.equal(problem)
    }
    for (const port of [443, 1024, 8443, 65_535]) {
      expect(problemOf(`https://wallet.example:${port}`), String(port)).to.equal(undefined)
    }
    expect(problemOf('http://wallet:81', true)).to.equal(undefined)
  })

  it('accepts http only where private addresses are allowed', () => {
    expect(problemOf('http://wallet.example')).to.equal('must start with https://')
    expect(problemOf('http://127.0.0.1:3000/hook', true)).to.equal(undefined)
    for (const url of [
      'ftp://wallet.example',
      'file:///etc/passwd',
      'data:text/plain,x',
      'javascript:alert(1)',
      'unix:/tmp/x',
    ]) {
      expect(problemOf(url, true), url).to.equal('must start with https:// or http://')
    }
  })

  it('refuses credentials, which would appear in logs', () => {
    for (const url of [
      'https://name:secret@wallet.example',
      'https://name@wallet.example',
      'https://:secret@wallet.example',
    ]) {
      expect(problemOf(url), url).to.equal('must not contain a user name or a password')
    }
  })

  it('refuses text that is not a URL, or not the URL that it appears to be', () => {
    for (const url of [
      '',
      'wallet.example',
      '/path',
      'https://',
      'https://a b',
      ' https://wallet.example',
      'https://wallet\n.example',
      'https:\\\\wallet.example',
      'https://wallet.example/\0',
      'https://wallet.example/\ud800',
      'https://1.2.3.4.5',
      'https://wallet.example:99999',
    ]) {
      expect(problemOf(url), JSON.stringify(url)).to.equal('must be an absolute URL')
    }
    expect(problemOf(`https://wallet.example/${'a'.repeat(2_048)}`)).to.equal(
      'must not be longer than 2048 characters',
    )
  })
})

describe('parseKeptUrl', () => {
  const isKept = (text: string, allowPrivateAddresses = false) =>
    'url' in parseKeptUrl(text, { allowPrivateAddresses })

  it('accepts names, and addresses of the internet', () => {
    for (const host of ['wallet.example', '8.8.8.8', '[2606:4700::1]', 'localhost.example', 'notlocalhost']) {
      expect(isKept(`https://${host}/`), host).to.equal(true)
    }
  })

  it('refuses private addresses in any spelling, and this machine by name', () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '127.0.0.1.',
      '0',
      '10.1.2.3',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '168.63.129.16',
      '[::1]',
      '[::]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '%31%32%37.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      '%6cocalhost',
      'localhost:8443',
    ]) {
      expect(isKept(`https://${host}/`), host).to.equal(false)
      expect(isKept(`https://${host}/`, true), host).to.equal(true)
    }
  })
})
