import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startClockedService } from '../../support/clocked-service.ts'
import type { ClockedService } from '../../support/clocked-service.ts'

interface Turn {
  timeZone: string
  period: 'day' | 'week'
  what: string
  /** The period's first moment, and the next one's. */
  begins: string
  ends: string
}

/** In the order of time: the clock of these tests only goes forward. */
const turns: Turn[] = [
  {
    timeZone: 'America/New_York',
    period: 'day',
    what: 'an ordinary day',
    begins: '2027-01-15T05:00:00Z',
    ends: '2027-01-16T05:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    period: 'day',
    what: 'a day of 23 hours',
    begins: '2027-03-14T05:00:00Z',
    ends: '2027-03-15T04:00:00Z',
  },
  {
    timeZone: 'Pacific/Auckland',
    period: 'day',
    what: 'a day of 25 hours, two dates of UTC away',
    begins: '2027-04-03T11:00:00Z',
    ends: '2027-04-04T12:00:00Z',
  },
  {
    timeZone: 'America/Santiago',
    period: 'day',
    what: 'a day that has no midnight',
    begins: '2027-09-05T04:00:00Z',
    ends: '2027-09-06T03:00:00Z',
  },
  {
    timeZone: 'Pacific/Auckland',
    period: 'week',
    what: 'a week that loses an hour',
    begins: '2027-09-19T12:00:00Z',
    ends: '2027-09-26T11:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    period: 'week',
    what: 'a week that gains an hour',
    begins: '2027-11-01T04:00:00Z',
    ends: '2027-11-08T05:00:00Z',
  },
  {
    timeZone: 'UTC',
    period: 'week',
    what: 'the week of a new year',
    begins: '2027-12-27T00:00:00Z',
    ends: '2028-01-03T00:00:00Z',
  },
  {
    timeZone: 'Asia/Kathmandu',
    period: 'day',
    what: 'a leap day, beginning at a quarter',
    begins: '2028-02-28T18:15:00Z',
    ends: '2028-02-29T18:15:00Z',
  },
  {
    timeZone: 'America/Havana',
    period: 'day',
    what: 'a day that has two midnights',
    begins: '2028-11-05T04:00:00Z',
    ends: '2028-11-06T05:00:00Z',
  },
]

const minuteMs = 60_000

describe('limits of openings', () => {
  let clocked: ClockedService
  const atEnd = atEndOfSuite()
  before(async () => {
    clocked = await startClockedService()
    atEnd(() => clocked.service.stop())
  })

  const limited = (count: number, resets: string | null) => ({
    can_open: count > 0,
    openings_left: count,
    resets_at: resets === null ? null : new Date(resets).toISOString(),
    expires_at: null,
  })
  for (const { timeZone, period, what, begins, ends } of turns) {
    it(`begin again with each ${period} in ${timeZone}: ${what}`, async () => {
      const boxId = await clocked.publish(`${timeZone} ${what}`, {
        access: 'limited',
        limit: { count: 2, period, time_zone: timeZone },
      })
      const [start, end] = [Date.parse(begins), Date.parse(ends)]
      expect(await clocked.openAt(start - 1, boxId)).to.equal('opened')
      expect(await clocked.openAt(start - 1, boxId)).to.equal('opened')
      expect(await clocked.openAt(start - 1, boxId)).to.equal('opening_not_entitled')
      expect(await clocked.leftAt(start - 1, boxId)).to.deep.equal(limited(0, begins))
      expect(await clocked.leftAt(start, boxId)).to.deep.equal(limited(2, ends))
      expect(await clocked.openAt(start, boxId)).to.equal('opened')
      expect(await clocked.leftAt(start + 30 * minuteMs, boxId)).to.deep.equal(limited(1, ends))
      expect(await clocked.openAt(start + 30 * minuteMs, boxId)).to.equal('opened')
      for (let moment = start + 45 * minuteMs; moment < end; moment += (end - start) / 7) {
        expect(await clocked.openAt(moment, boxId), new Date(moment).toISOString()).to.equal(
          'opening_not_entitled',
        )
        expect(await clocked.leftAt(moment, boxId)).to.deep.equal(limited(0, ends))
      }
      expect(await clocked.openAt(end - 1, boxId)).to.equal('opening_not_entitled')
      expect(await clocked.openAt(end, boxId)).to.equal('opened')
    })
  }

  it('for a lifetime never reset', async () => {
    const boxId = await clocked.publish('once', {
      access: 'limited',
      limit: { count: 1, period: 'lifetime' },
    })
    expect(await clocked.leftAt('2029-01-01', boxId)).to.deep.equal(limited(1, null))
    expect(await clocked.openAt('2029-01-01', boxId)).to.equal('opened')
    expect(await clocked.openAt('2079-01-01', boxId)).to.equal('opening_not_entitled')
    expect(await clocked.leftAt('2079-01-01', boxId)).to.deep.equal(limited(0, null))
  })

  it('count in the time zone of the current version', async () => {
    const limit = { count: 1, period: 'day' }
    const boxId = await clocked.publish('moved', { access: 'limited', limit })
    expect(await clocked.openAt('2029-02-01T23:00:00Z', boxId)).to.equal('opened')
    expect(await clocked.openAt('2029-02-01T23:30:00Z', boxId)).to.equal('opening_not_entitled')
    await clocked.publish('moved', { access: 'limited', limit: { ...limit, time_zone: 'Europe/Malta' } })
    // In Malta it is half past midnight: both are of the same day there.
    expect(await clocked.openAt('2029-02-02T00:30:00Z', boxId)).to.equal('opening_not_entitled')
    expect(await clocked.openAt('2029-02-02T23:00:00Z', boxId)).to.equal('opened')
  })
})
