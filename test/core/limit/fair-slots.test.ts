import { expect } from 'chai'
import { createFairSlots } from '../../../core/limit/fair-slots.ts'
import { RewardsError } from '../../../core/errors.ts'
import { eventually } from '../../support/eventually.ts'

const patient = { linePerGroup: 100, lineMax: 1_000, waitMs: 60_000 }

/** Work that continues until it is told to end, and a record of the order in which work began. */
function createWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => {
        ends.set(name, () => {
          resolve(name)
        })
      })
    },
    end: (name: string) => {
      ends.get(name)?.()
    },
  }
}

describe('slots that groups share', () => {
  it('are given to each group in turn, however many of another wait', async () => {
    const slots = createFairSlots({ slots: 2, slotsPerGroup: 1, ...patient })
    const { begun, work, end } = createWork()
    const many = ['a1', 'a2', 'a3'].map((name) => slots.enter('a').run(work(name)))
    const few = [slots.enter('b').run(work('b1')), slots.enter('c').run(work('c1'))]
    await eventually('two are worked on', () => begun.length === 2)
    expect(begun).to.deep.equal(['a1', 'b1'])
    end('a1')
    await many[0]
    await eventually('the next one is', () => begun.length === 3)
    expect(begun[2]).to.equal('c1')
    for (const name of ['b1', 'c1', 'a2', 'a3']) {
      await eventually(`${name} is worked on`, () => begun.includes(name))
      end(name)
    }
    expect(await Promise.all([...many, ...few])).to.have.members(['a1', 'a2', 'a3', 'b1', 'c1'])
  })

  it('are never all taken by one group', async () => {
    const slots = createFairSlots({ slots: 4, slotsPerGroup: 2, ...patient })
    const { begun, work, end } = createWork()
    const running = ['a1', 'a2', 'a3', 'a4'].map((name) => slots.enter('a').run(work(name)))
    const other = slots.enter('b').run(work('b1'))
    await eventually('b is worked on', () => begun.includes('b1'))
    expect(begun).to.deep.equal(['a1', 'a2', 'b1'])
    for (const name of ['b1', 'a1', 'a2', 'a3', 'a4']) {
      await eventually(`${name} is worked on`, () => begun.includes(name))
      end(name)
    }
    await Promise.all([other, ...running])
  })

  it('refuse requests beyond the line of their group immediately, also before the group works', () => {
    const slots = createFairSlots({ ...patient, slots: 1, slotsPerGroup: 1, linePerGroup: 2 })
    const first = slots.enter('a')
    slots.enter('a')
    expect(() => slots.enter('a')).to.throw(RewardsError, 'overloaded')
    slots.enter('b')
    first.leave()
    first.leave()
    slots.enter('a')
    expect(() => slots.enter('a')).to.throw(RewardsError, 'overloaded')
  })

  it('admit one of every group, however many of others are in the line', () => {
    const slots = createFairSlots({ ...patient, slots: 1, slotsPerGroup: 1, linePerGroup: 250 })
    const enterAll = (group: string) => {
      for (let count = 0; ; count++) {
        try {
          slots.enter(group)
        } catch {
          return count
        }
      }
    }
    expect(['a', 'b', 'c', 'd', 'e'].map(enterAll)).to.deep.equal([250, 250, 167, 111, 74])
    for (let other = 0; other < 200; other++) slots.enter(`other ${other}`)
  })

  it('refuse a request that has waited too long, and give its turn to the next', async () => {
    const slots = createFairSlots({ ...patient, slots: 1, slotsPerGroup: 1, waitMs: 1 })
    const { begun, work, end } = createWork()
    const first = slots.enter('a').run(work('a1'))
    const refused: unknown = await slots
      .enter('a')
      .run(work('a2'))
      .catch((error: unknown) => error)
    expect(refused).to.include({ code: 'overloaded' })
    end('a1')
    await first
    const last = slots.enter('a').run(work('a3'))
    await eventually('the next one works', () => begun.includes('a3'))
    end('a3')
    expect(await last).to.equal('a3')
    expect(begun).to.deep.equal(['a1', 'a3'])
  })

  it('can be used by others while their holder pauses its use, and are returned after a failure', async () => {
    const slots = createFairSlots({ slots: 1, slotsPerGroup: 1, ...patient })
    const { begun, work, end } = createWork()
    const caller = slots.enter('a')
    const calling = caller.run(() => caller.aside(work('call')))
    await eventually('it calls', () => begun.includes('call'))
    const other = slots.enter('b').run(work('b1'))
    await eventually('the other one works', () => begun.includes('b1'))
    end('call')
    end('b1')
    expect(await Promise.all([calling, other])).to.deep.equal(['call', 'b1'])
    const failed: unknown = await slots
      .enter('a')
      .run(() => Promise.reject(new Error('broken')))
      .catch((error: unknown) => error)
    expect(failed).to.be.an('error').with.property('message', 'broken')
    const last = slots.enter('c').run(work('c1'))
    await eventually('the next one works', () => begun.includes('c1'))
    end('c1')
    expect(await last).to.equal('c1')
  })
})
