import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startClockedService } from '../../support/clocked-service.ts'
import type { ClockedService } from '../../support/clocked-service.ts'

describe('entitlement to openings', () => {
  let clocked: ClockedService
  const atEnd = atEndOfSuite()
  before(async () => {
    clocked = await startClockedService()
    atEnd(() => clocked.service.stop())
  })

  const granted = (count: number, expires: Date | null) => ({
    can_open: count > 0,
    openings_left: count,
    resets_at: null,
    expires_at: expires?.toISOString() ?? null,
  })

  it('is valid only within the box’s window', async () => {
    const [from, until] = ['2029-03-01T12:00:00Z', '2029-03-02T12:00:00Z']
    const boxId = await clocked.publish('window', {
      access: 'granted',
      active_from: from,
      active_until: until,
    })
    await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, 9)
    expect(await clocked.openAt(Date.parse(from) - 1, boxId)).to.equal('box_closed')
    expect(await clocked.leftAt(Date.parse(from) - 1, boxId)).to.equal(undefined)
    expect(await clocked.openAt(from, boxId)).to.equal('opened')
    expect(await clocked.openAt(Date.parse(until) - 1, boxId)).to.equal('opened')
    expect(await clocked.leftAt(Date.parse(until) - 1, boxId)).to.deep.equal(granted(7, null))
    expect(await clocked.openAt(until, boxId)).to.equal('box_closed')
    expect(await clocked.leftAt(until, boxId)).to.equal(undefined)
  })

  it('ends when a grant expires, and the grant that expires first is used first', async () => {
    const boxId = await clocked.publish('expiring', { access: 'granted' })
    const [soon, later] = [new Date('2029-04-01T00:00:00Z'), new Date('2029-04-02T00:00:00Z')]
    const forever = await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, 1)
    const second = await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, 2, later)
    const first = await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, 2, soon)
    const usedOf = async () => {
      const grants = await clocked.service.database.grant.findMany({
        where: { casinoId: clocked.casino.id, boxId },
      })
      return [first, second, forever].map((id) => grants.find((grant) => grant.id === id)?.used)
    }
    const beforeSoon = soon.getTime() - 1
    expect(await clocked.leftAt(beforeSoon, boxId)).to.deep.equal(granted(5, soon))
    expect(await clocked.openAt(beforeSoon, boxId)).to.equal('opened')
    expect(await usedOf()).to.deep.equal([1, 0, 0])
    expect(await clocked.leftAt(soon, boxId)).to.deep.equal(granted(3, later)) // one of the first grant is lost
    expect(await clocked.openAt(soon, boxId)).to.equal('opened')
    expect(await clocked.openAt(later.getTime() - 1, boxId)).to.equal('opened')
    expect(await usedOf()).to.deep.equal([1, 2, 0])
    expect(await clocked.leftAt(later, boxId)).to.deep.equal(granted(1, null))
    expect(await clocked.openAt(later, boxId)).to.equal('opened')
    expect(await clocked.openAt(later, boxId)).to.equal('opening_not_entitled')
    expect(await usedOf()).to.deep.equal([1, 2, 1])
  })

  it('is used up by openings only', async () => {
    const boxId = await clocked.publish('careful', { access: 'granted', active_from: '2029-05-02' })
    await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, 3)
    const used = async () =>
      (
        await clocked.service.database.grant.findFirstOrThrow({
          where: { casinoId: clocked.casino.id, boxId },
        })
      ).used
    expect(await clocked.openAt('2029-05-01', boxId)).to.equal('box_closed')
    expect(await used()).to.equal(0)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => clocked.openAt('2029-05-02', boxId, 'one-key')),
    )
    expect(new Set(replies)).to.deep.equal(new Set(['opened']))
    expect(await used()).to.equal(1) // the other seven are the same answer again
    await clocked.publish('careful', {
      access: 'granted',
      entries: [{ item_id: 'mug', weight: 1, stock: 1 }],
    })
    await clocked.service.database.boxStock.updateMany({ where: { boxId }, data: { remaining: 0 } })
    expect(await clocked.openAt('2029-05-02', boxId)).to.equal('box_sold_out')
    expect(await used()).to.equal(1)
    await clocked.publish('careful', { access: 'limited', limit: { count: 2, period: 'lifetime' } })
    expect(await clocked.openAt('2029-05-02', boxId)).to.equal('opened') // the second of two: every opening counts
    expect(await clocked.openAt('2029-05-02', boxId)).to.equal('opening_not_entitled')
    expect(await used()).to.equal(1)
    expect(
      await clocked.service.database.opening.count({ where: { casinoId: clocked.casino.id, boxId } }),
    ).to.equal(2)
  })

  it('is one opening for each, however many boxes are opened at the same time', async () => {
    const boxIds = await Promise.all(
      ['x', 'y', 'z'].map((name) =>
        clocked.publish(`many-${name}`, { access: 'granted', entries: [{ item_id: 'mug', weight: 1 }] }),
      ),
    )
    for (const boxId of boxIds)
      for (const count of [1, 2]) await clocked.service.factory.grant(clocked.casino.id, 'p', boxId, count)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => clocked.openAt('2029-06-01', boxIds[i % 3] ?? '')),
    )
    expect(outcomes.filter((outcome) => outcome === 'opened')).to.have.length(9)
    const grants = await clocked.service.database.grant.findMany({
      where: { casinoId: clocked.casino.id, boxId: { in: boxIds } },
    })
    for (const grant of grants) {
      expect(grant.used).to.equal(grant.count)
      expect(await clocked.service.database.opening.count({ where: { grantId: grant.id } })).to.equal(
        grant.count,
      )
    }
  })
})
