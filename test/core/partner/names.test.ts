import { expect } from 'chai'
import { createNames } from '../../../core/partner/names.ts'
import type { NameAddresses } from '../../../core/partner/resolve-name.ts'

const address = { address: '192.0.2.1', family: 4 }

/** Look-ups that end when the test says so. */
function create() {
  const asked: { name: string; end: (found?: Partial<NameAddresses>) => void; fail: () => void }[] = []
  let now = 0
  const names = createNames({
    nowMs: () => now,
    resolve: (name) =>
      new Promise((resolve, reject) => {
        asked.push({
          name,
          end: (found) => {
            resolve({ addresses: [address], ttlSeconds: 60, ...found })
          },
          fail: () => {
            reject(new Error('no answer'))
          },
        })
      }),
  })
  const namesAsked = () => asked.map(({ name }) => name)
  const at = (index: number) => {
    const look = asked[index]
    if (look === undefined) throw new Error('nobody has asked')
    return look
  }
  /** So that code that waited for a look-up continues. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const later = (ms: number) => {
    now += ms
  }
  return { names, namesAsked, at, settle, later }
}

describe('createNames', () => {
  it('keeps one casino’s look-ups from delaying another’s, and has a limit for each', async () => {
    const { names, namesAsked, at, settle } = create()
    const hanging = Array.from({ length: 10 }, (_, n) => names.find('slow', `h${n}.test`))
    const other = names.find('other', 'fine.test')
    expect(namesAsked()).to.deep.equal(['h0.test', 'h1.test', 'h2.test', 'h3.test', 'fine.test'])
    at(4).end()
    expect(await other).to.deep.equal([address])
    at(1).fail()
    expect(await hanging[1]).to.deep.equal([])
    await settle()
    expect(namesAsked().slice(5), 'the next in turn').to.deep.equal(['h4.test'])
  })

  it('shares a look-up, and remembers its result for as long as the result is valid', async () => {
    const { names, namesAsked, at, later } = create()
    const url = 'https://wallet.test/credit'
    expect(names.known('a', url)).to.equal(undefined)
    const both = [names.lookUp('a', url), names.lookUp('a', 'https://wallet.test:8443/')]
    at(0).end({ ttlSeconds: 60 })
    await Promise.all(both)
    expect(names.known('a', url)).to.equal('found')
    expect(names.known('b', url), 'what others know is not told').to.equal(undefined)
    later(59_999)
    expect(names.known('a', url)).to.equal('found')
    later(1)
    expect(names.known('a', url), 'to be asked for before the next attempt').to.equal(undefined)
    expect(await names.find('a', 'wallet.test'), 'by who has asked just before').to.deep.equal([address])
    expect(namesAsked()).to.deep.equal(['wallet.test'])
    later(60_000)
    const again = names.find('a', 'wallet.test')
    at(1).end({ addresses: [] })
    expect(await again, 'it has gone').to.deep.equal([])
  })

  it('remembers for half a minute at least and five at most', async () => {
    const { names, at, later } = create()
    for (const [index, [ttlSeconds, holdsMs]] of [
      [0, 30_000],
      [86_400, 300_000],
    ].entries()) {
      const url = `https://ttl${index}.test/`
      const asked = names.lookUp('a', url)
      at(index).end({ ttlSeconds: ttlSeconds ?? 0 })
      await asked
      later((holdsMs ?? 0) - 1)
      expect(names.known('a', url)).to.equal('found')
      later(1)
      expect(names.known('a', url)).to.equal(undefined)
    }
  })

  it('remembers for a short time that a name does not resolve', async () => {
    const { names, namesAsked, at, later } = create()
    const url = 'https://gone.test/'
    const asked = names.lookUp('a', url)
    at(0).fail()
    await asked
    expect(names.known('a', url)).to.equal('unknown')
    expect(await names.find('a', 'gone.test')).to.deep.equal([])
    later(5_000)
    expect(names.known('a', url)).to.equal(undefined)
    void names.find('a', 'gone.test')
    expect(namesAsked().length).to.equal(2)
  })

  it('keeps a bounded number of names of a casino, the latest ones', async () => {
    const { names, at } = create()
    for (let n = 0; n < 300; n++) {
      const asked = names.lookUp('a', `https://n${n}.test/`)
      at(n).end()
      await asked
    }
    const known = Array.from({ length: 300 }, (_, n) => names.known('a', `https://n${n}.test/`) === 'found')
    expect(known.indexOf(true)).to.equal(44)
    expect(known.filter(Boolean).length).to.equal(256)
  })

  it('looks up neither addresses nor text that is not a URL', () => {
    const { names } = create()
    for (const url of ['https://192.0.2.1/', 'https://[2001:db8::1]:8443/', 'nothing']) {
      expect(names.known('a', url)).to.equal('found')
    }
  })
})
