import { expect } from 'chai'
import { loadDecideStore } from '../../../core/batch/load-decide-store.ts'
import type { Change } from '../../../core/batch/load-decide-store.ts'
import { loadDecideStoreFree, loadDecideStoreShared } from '../../../core/batch/shared-change.ts'
import { RewardsError } from '../../../core/errors.ts'

/** Decides to write every request; each test has a `store` of its own. */
function changeWith(store: Change<string, null, { request: string }, string>['store']) {
  return {
    load: () => Promise.resolve(null),
    decide: (request: string) => {
      if (request === 'refused') throw new RewardsError('prize_unknown')
      return request === 'known' ? { answer: 'known already' } : { write: { request } }
    },
    store,
  }
}
const sqlError = (sqlState: string) =>
  Object.assign(new Error('database'), {
    meta: { driverAdapterError: { cause: { originalCode: sqlState } } },
  })

describe('loadDecideStore', () => {
  it('answers, refuses and writes request by request, in order', async () => {
    const results = await loadDecideStore(
      changeWith((writes) =>
        Promise.resolve(new Map(writes.map((write) => [write, `wrote ${write.request}`]))),
      ),
      ['a', 'refused', 'known', 'b'],
    )
    expect(results[0]).to.deep.equal({ value: 'wrote a' })
    expect(results[1]).to.have.nested.property('error.code', 'prize_unknown')
    expect(results[2]).to.deep.equal({ value: 'known already' })
    expect(results[3]).to.deep.equal({ value: 'wrote b' })
  })

  it('loads and decides again only the requests that lost a race', async () => {
    const rounds: string[][] = []
    const results = await loadDecideStore(
      changeWith((writes) => {
        rounds.push(writes.map((write) => write.request))
        const winners = rounds.length === 1 ? writes.slice(0, 1) : writes
        return Promise.resolve(new Map(winners.map((write) => [write, 'ok'])))
      }),
      ['a', 'b', 'c'],
    )
    expect(rounds).to.deep.equal([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ])
    expect(results).to.deep.equal([{ value: 'ok' }, { value: 'ok' }, { value: 'ok' }])
  })

  it('shows the plan of earlier writes to a request, and decides it again after the round if it depends on them', async () => {
    const stored: string[][] = []
    const results = await loadDecideStore(
      {
        load: () => Promise.resolve({ wanted: 0 }),
        decide: (request: string, { wanted }) =>
          wanted === 0 ? { write: { request } } : ('next_round' as const),
        plan: (_, loaded) => {
          loaded.wanted++
        },
        store: (writes: readonly { request: string }[]) => {
          stored.push(writes.map((write) => write.request))
          return Promise.resolve(new Map(writes.map((write) => [write, 'ok'])))
        },
      },
      ['a', 'b', 'c'],
    )
    expect(stored).to.deep.equal([['a'], ['b'], ['c']])
    expect(results).to.deep.equal([{ value: 'ok' }, { value: 'ok' }, { value: 'ok' }])
  })

  it('gives up a request that loses every round', async () => {
    let rounds = 0
    const results = await loadDecideStore(
      changeWith(() => {
        rounds++
        return Promise.resolve(new Map())
      }),
      ['a'],
    )
    expect(results[0]).to.have.nested.property('error.code', 'storage_contended')
    expect(rounds).to.equal(200)
  })

  it('gives up after twenty rounds when they take longer than five seconds', async () => {
    const now = performance.now.bind(performance)
    let rounds = 0
    performance.now = () => now() + rounds * 1_000
    try {
      const change = changeWith(() => {
        rounds++
        return Promise.resolve(new Map())
      })
      const [result] = await loadDecideStore(change, ['a'])
      expect(result).to.have.nested.property('error.code', 'storage_contended')
    } finally {
      performance.now = now
    }
    expect(rounds).to.equal(20)
  })

  it('stores one by one when the database refuses a value, so that no request fails because of another', async () => {
    const results = await loadDecideStore(
      changeWith((writes) =>
        writes.some((write) => write.request === 'poison')
          ? Promise.reject(sqlError('22021'))
          : Promise.resolve(new Map(writes.map((write) => [write, 'ok']))),
      ),
      ['a', 'poison', 'b'],
    )
    expect(results[0]).to.deep.equal({ value: 'ok' })
    expect(results[1]).to.have.property('error')
    expect(results[2]).to.deep.equal({ value: 'ok' })
  })

  it('stores the others when one of them cannot be planned', async () => {
    const illegal = new RewardsError('transition_illegal')
    const results = await loadDecideStore(
      changeWith((writes) =>
        writes.some((write) => write.request === 'poison')
          ? Promise.reject(illegal)
          : Promise.resolve(new Map(writes.map((write) => [write, 'ok']))),
      ),
      ['a', 'poison', 'b'],
    )
    expect(results).to.deep.equal([{ value: 'ok' }, { error: illegal }, { value: 'ok' }])
  })

  it('stores the others when another process holds one of the rows for long', async () => {
    const results = await loadDecideStore(
      changeWith((writes) =>
        writes.some((write) => write.request === 'locked')
          ? Promise.reject(sqlError('55P03'))
          : Promise.resolve(new Map(writes.map((write) => [write, 'ok']))),
      ),
      ['a', 'locked', 'b'],
    )
    expect(results[0]).to.deep.equal({ value: 'ok' })
    expect(results[1]).to.have.nested.property('error.code', 'storage_contended')
    expect(results[2]).to.deep.equal({ value: 'ok' })
  })

  it('does not wait for row after row when everything is locked', async () => {
    let attempts = 0
    const change = changeWith(() => {
      attempts++
      return Promise.reject(sqlError('55P03'))
    })
    const results = await loadDecideStore(
      change,
      Array.from({ length: 100 }, (_, index) => `row ${index}`),
    )
    expect(attempts).to.equal(5) // once all together, then four alone
    for (const result of results) expect(result).to.have.nested.property('error.code', 'storage_contended')
  })

  it('tries a deadlock again immediately, but not without end', async () => {
    let attempts = 0
    const change = changeWith((writes) => {
      attempts++
      return attempts < 3
        ? Promise.reject(sqlError('40P01'))
        : Promise.resolve(new Map(writes.map((write) => [write, 'ok'])))
    })
    expect(await loadDecideStore(change, ['a'])).to.deep.equal([{ value: 'ok' }])
    expect(attempts).to.equal(3)
    const hopeless = changeWith(() => Promise.reject(sqlError('40P01')))
    expect((await loadDecideStore(hopeless, ['a']))[0]).to.have.property('error')
  })

  it('does not repeat a statement that may have taken effect', async () => {
    let attempts = 0
    const change = changeWith(() => {
      attempts++
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    const results = await loadDecideStore(change, ['a', 'b'])
    expect(attempts).to.equal(1)
    expect(results.every((result) => 'error' in result)).to.equal(true)
  })

  it('waits for locked rows once, and then stores those that are free', async () => {
    const attempts: string[] = []
    const results = await loadDecideStore(
      {
        ...changeWith(() => {
          attempts.push('store')
          return Promise.reject(sqlError('55P03'))
        }),
        storeFree: (writes) => {
          attempts.push('storeFree')
          return Promise.resolve(
            new Map(
              writes.filter(({ request }) => request !== 'locked').map((write) => [write, 'ok'] as const),
            ),
          )
        },
      },
      ['a', 'locked', 'b', 'locked', 'locked', 'locked', 'locked', 'c'],
    )
    expect(attempts).to.deep.equal(['store', 'storeFree'])
    expect(results.map((result) => 'value' in result)).to.deep.equal([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ])
    expect(results[1]).to.have.nested.property('error.code', 'storage_contended')
  })
})

describe('loadDecideStoreShared', () => {
  const notCalled = () => Promise.reject(new Error('a shared batch waits'))
  const sharedChange = (storeFree: ReturnType<typeof changeWith>['store']) => ({
    ...changeWith(notCalled),
    storeFree,
  })

  it('answers stored requests, and sets aside those that lost a race or found their rows locked', async () => {
    let attempts = 0
    const results = await loadDecideStoreShared(
      sharedChange((writes) => {
        attempts++
        return Promise.resolve(
          new Map(writes.filter(({ request }) => request !== 'held').map((write) => [write, 'ok'])),
        )
      }),
      ['a', 'held', 'refused', 'known', 'b'],
    )
    expect(results[2]).to.have.nested.property('error.code', 'prize_unknown')
    expect([results[0], results[1], results[3], results[4]]).to.deep.equal([
      { value: 'ok' },
      'set_aside',
      { value: 'known already' },
      { value: 'ok' },
    ])
    expect(attempts).to.equal(1)
  })

  it('is held up when its statement fails without effect, and fails when the effect is unknown', async () => {
    for (const sqlState of ['55P03', '22P05']) {
      const results = await loadDecideStoreShared(
        sharedChange(() => Promise.reject(sqlError(sqlState))),
        ['a', 'known', 'b'],
      )
      expect(results).to.deep.equal(['held_up', { value: 'known already' }, 'held_up'])
    }
    const lost = await loadDecideStoreShared(
      sharedChange(() => Promise.reject(new Error('Connection terminated unexpectedly'))),
      ['a'],
    )
    expect(lost[0]).to.have.property('error')
  })

  it('sets aside requests that its loading has left out', async () => {
    const results = await loadDecideStoreShared(
      {
        ...sharedChange((writes) => Promise.resolve(new Map(writes.map((write) => [write, 'ok'])))),
        load: (requests, extent) => Promise.resolve(extent === 'shared' ? requests.slice(0, 1) : requests),
        decide: (request: string, loaded: readonly string[]) =>
          loaded.includes(request) ? { write: { request } } : ('set_aside' as const),
      },
      ['a', 'large'],
    )
    expect(results).to.deep.equal([{ value: 'ok' }, 'set_aside'])
  })
})

describe('loadDecideStoreShared with storeOrLoad', () => {
  const notCalled = () => Promise.reject(new Error('another statement'))
  const changeOf = (storeOrLoad: (requests: readonly string[]) => Promise<ReadonlyMap<string, string>>) => ({
    ...changeWith(notCalled),
    load: () => Promise.reject(sqlError('55P03')),
    storeFree: notCalled,
    storeOrLoad: async (requests: readonly string[]) => ({
      stored: await storeOrLoad(requests),
      loaded: null,
    }),
  })

  it('answers stored requests, decides the others, and sets aside those that are allowed', async () => {
    const results = await loadDecideStoreShared(
      changeOf((requests) => {
        expect(requests).to.deep.equal(['a', 'refused', 'raced', 'known', 'b'])
        return Promise.resolve(
          new Map([
            ['b', 'stored b'],
            ['a', 'stored a'],
          ]),
        )
      }),
      ['a', 'refused', 'raced', 'known', 'b'],
    )
    expect(results[1]).to.have.nested.property('error.code', 'prize_unknown')
    expect([results[0], results[2], results[3], results[4]]).to.deep.equal([
      { value: 'stored a' },
      'set_aside',
      { value: 'known already' },
      { value: 'stored b' },
    ])
  })

  it('tries a deadlock again, is held up when the statement had no effect, and fails when that is unknown', async () => {
    const errors = [sqlError('40P01'), sqlError('40P01')]
    const deadlocked = changeOf(() => {
      const error = errors.pop()
      return error === undefined ? Promise.resolve(new Map([['a', 'ok']])) : Promise.reject(error)
    })
    expect(await loadDecideStoreShared(deadlocked, ['a'])).to.deep.equal([{ value: 'ok' }])
    for (const sqlState of ['55P03', '22P05']) {
      const locked = changeOf(() => Promise.reject(sqlError(sqlState)))
      expect(await loadDecideStoreShared(locked, ['a', 'known'])).to.deep.equal(['held_up', 'held_up'])
      const loaded = { ...locked, load: () => Promise.resolve(null) }
      const [a, known, refused] = await loadDecideStoreShared(loaded, ['a', 'known', 'refused'])
      expect([a, known]).to.deep.equal(['held_up', { value: 'known already' }])
      expect(refused).to.have.nested.property('error.code', 'prize_unknown')
    }
    const lost = await loadDecideStoreShared(
      changeOf(() => Promise.reject(new Error('Connection terminated unexpectedly'))),
      ['a', 'known'],
    )
    for (const result of lost) expect(result).to.have.property('error')
  })
})

describe('loadDecideStoreFree', () => {
  const freeChange = (storeFree: ReturnType<typeof changeWith>['store']) => ({
    ...changeWith(() => Promise.reject(new Error('a turn waits'))),
    storeShared: () => Promise.reject(new Error('a turn waits for what many need')),
    storeFree,
  })

  it('stores a request that lost a race once, and holds up one that loses repeatedly: its rows may be locked', async () => {
    const rounds: string[][] = []
    const results = await loadDecideStoreFree(
      freeChange((writes) => {
        rounds.push(writes.map(({ request }) => request))
        const free = writes.filter(({ request }) => request === 'a' || (request === 'b' && rounds.length > 1))
        return Promise.resolve(new Map(free.map((write) => [write, 'ok'])))
      }),
      ['a', 'b', 'held'],
    )
    expect(results).to.deep.equal([{ value: 'ok' }, { value: 'ok' }, 'held_up'])
    expect(rounds).to.deep.equal([['a', 'b', 'held'], ['b', 'held'], ['held']])
  })

  it('sets aside requests that it has not loaded in this round', async () => {
    const extents: string[] = []
    const results = await loadDecideStoreFree(
      {
        ...freeChange((writes) => Promise.resolve(new Map(writes.map((write) => [write, 'ok'])))),
        load: (requests, extent) => {
          extents.push(extent)
          return Promise.resolve(requests.slice(0, 1))
        },
        decide: (request: string, loaded: readonly string[]) =>
          loaded.includes(request) ? { write: { request } } : ('set_aside' as const),
      },
      ['a', 'later'],
    )
    expect(results).to.deep.equal([{ value: 'ok' }, 'set_aside'])
    expect(extents).to.deep.equal(['turn'])
  })
})
