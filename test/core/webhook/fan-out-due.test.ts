import { expect } from 'chai'
import { createFanOutDue } from '../../../core/webhook/fan-out-due.ts'
import type { FannedOut, FanOutScope } from '../../../core/webhook/fan-out.ts'

const nothing: FannedOut = { eventCount: 0, works: [], full: [], lastCasinoId: '' }

describe('looking for events to fan out', () => {
  const create = () => {
    const world = {
      nowMs: 0,
      /** Casinos with new events. */
      fresh: [] as string[] | 'all',
      answer: (_: FanOutScope): FannedOut => nothing,
    }
    const looks: (FanOutScope & { atSeconds: number })[] = []
    const asked: bigint[] = []
    const turn = createFanOutDue({
      nowMs: () => world.nowMs,
      fanOut: (scope) => {
        looks.push({ ...scope, atSeconds: world.nowMs / 1_000 })
        return Promise.resolve(world.answer(scope))
      },
      findLastEvent: () => Promise.resolve(7n),
      findNewEvents: (afterId) => {
        asked.push(afterId)
        return Promise.resolve({ casinoIds: world.fresh })
      },
    })
    /** As a loop that does so every quarter of a second. */
    const turns = async (ms: number) => {
      for (const endMs = world.nowMs + ms; world.nowMs < endMs; world.nowMs += 250) await turn()
    }
    return { world, looks, asked, turns }
  }
  const casinosOf = (looks: readonly FanOutScope[]) => looks.map(({ casinoIds }) => casinoIds)

  it('checks all endpoints every other second, and otherwise only those with new events', async () => {
    const { looks, asked, turns } = create()
    await turns(10_000)
    expect(casinosOf(looks)).to.deep.equal(['all', 'all', 'all', 'all', 'all'])
    expect(new Set(asked)).to.deep.equal(new Set([7n]))
  })

  it('checks those of casinos with new events immediately', async () => {
    const { world, looks, turns } = create()
    await turns(250)
    world.fresh = ['lucky']
    await turns(500)
    expect(casinosOf(looks)).to.deep.equal(['all', ['lucky'], ['lucky']])
  })

  it('continues immediately while there is more', async () => {
    const { world, looks, turns } = create()
    world.answer = () => ({ ...nothing, eventCount: 250 })
    await turns(750)
    expect(casinosOf(looks)).to.deep.equal(['all', 'all', 'all'])
  })

  it('leaves a full endpoint alone for longer and longer, until it has room', async () => {
    const { world, looks, turns } = create()
    const slow = { casinoId: 'lucky', endpointId: 'slow' }
    const lookedAt = () => looks.filter(({ without }) => without.length === 0).map((look) => look.atSeconds)
    world.fresh = ['lucky']
    world.answer = ({ without }) => (without.length === 0 ? { ...nothing, full: [slow] } : nothing)
    await turns(80_000)
    expect(lookedAt()).to.deep.equal([0, 1, 3, 7, 15, 31, 47, 63, 79])
    expect(looks.find(({ without }) => without.length > 0)?.without).to.deep.equal([slow])
    world.answer = () => nothing
    await turns(18_000)
    looks.length = 0
    await turns(1_000)
    expect(lookedAt().length, 'like any other').to.equal(4)
  })

  it('continues after the casino that was served last', async () => {
    const { world, looks, turns } = create()
    const casinoIds = ['a', 'b', 'c']
    world.answer = () => ({ ...nothing, eventCount: 1, lastCasinoId: casinoIds.shift() ?? '' })
    await turns(1_000)
    expect(looks.map(({ afterCasinoId }) => afterCasinoId)).to.deep.equal(['', 'a', 'b', 'c'])
  })
})
