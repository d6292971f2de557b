import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createResolveName } from '../../../core/partner/resolve-name.ts'
import type { ResolverOptions } from '../../../core/partner/resolve-name.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startFakeDns } from '../../support/fake-dns.ts'
import type { FakeDns, DnsTreatment } from '../../support/fake-dns.ts'

describe('createResolveName', () => {
  const atEnd = atEndOfSuite()
  let dns: FakeDns
  let folder: string

  before(async () => {
    dns = await startFakeDns(77)
    atEnd(() => dns.stop())
    folder = await mkdtemp(join(tmpdir(), 'names-'))
    atEnd(() => rm(folder, { recursive: true }))
    await writeFile(
      join(folder, 'hosts'),
      '127.0.0.1 localhost\n10.9.8.7\twallet.lan  wallet # the one in the cellar\n::1 wallet\n',
    )
    await writeFile(join(folder, 'resolv.conf'), 'search old.lan\nsearch shop.svc.local svc.local\n')
  })

  const treat = (names: Record<string, DnsTreatment>) => {
    dns.treat((name) => names[name] ?? [])
    return dns.asked.length
  }
  const create = (options: Partial<ResolverOptions> = {}) =>
    createResolveName({
      searchDomains: false,
      servers: [dns.server],
      hostsFile: join(folder, 'hosts'),
      resolvConf: join(folder, 'resolv.conf'),
      ...options,
    })

  it('returns the addresses of both families, IPv4 first, and how long they are valid', async () => {
    treat({ 'both.test': ['::1', '192.0.2.7'] })
    expect(await create()('BOTH.test.')).to.deep.equal({
      addresses: [
        { address: '192.0.2.7', family: 4 },
        { address: '::1', family: 6 },
      ],
      ttlSeconds: 77,
    })
  })

  it('returns no address for an unknown name, and rejects when the name server fails or is silent', async () => {
    treat({ 'broken.test': 'fail', 'silent.test': 'hang' })
    expect((await create()('none.test')).addresses).to.deep.equal([])
    expect(await create()('broken.test').catch((error: unknown) => error)).to.be.an('error')
    const impatient = create({ timeoutMs: 100 })
    expect(await impatient('silent.test').catch((error: unknown) => error)).to.be.an('error')
  })

  it('knows the names of the hosts file and those of this machine, without a query', async () => {
    const before = treat({})
    expect((await create()('Wallet')).addresses).to.deep.equal([
      { address: '10.9.8.7', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect((await create()('localhost')).addresses).to.deep.equal([{ address: '127.0.0.1', family: 4 }])
    const without = create({ hostsFile: join(folder, 'missing') })
    expect((await without('api.localhost')).addresses.map(({ address }) => address)).to.deep.equal([
      '127.0.0.1',
      '::1',
    ])
    expect((await create()('name.invalid')).addresses).to.deep.equal([])
    expect(dns.asked.length).to.equal(before)
  })

  it('tries a name below the search domains where that is configured, after the name itself', async () => {
    const inCluster = { 'wallet.shop.svc.local': ['127.0.0.9'], 'wallet.test.svc.local': ['127.0.0.8'] }
    treat({ ...inCluster, 'wallet.test': ['127.0.0.7'] })
    const found = async (name: string, searchDomains = true) =>
      (await create({ searchDomains, hostsFile: '' })(name)).addresses.map(({ address }) => address)
    expect(await found('wallet')).to.deep.equal(['127.0.0.9'])
    expect(await found('wallet.test'), 'a public name is not taken over').to.deep.equal(['127.0.0.7'])
    treat(inCluster)
    expect(await found('wallet.test')).to.deep.equal(['127.0.0.8'])
    expect(await found('wallet.'), 'absolute').to.deep.equal([])
    expect(await found('wallet', false)).to.deep.equal([])
  })
})
