import { expect } from 'chai'
import { newId } from '../../../core/platform/ids.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestBox, TestCasino, TestEntry } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, listAt } from '../../api/admin/operator.ts'
import { isLongForm } from '../../support/runs.ts'

const now = new Date('2030-06-12T12:00:00.500Z') // a Wednesday
const hourMs = 3_600_000
const inMs = (ms: number) => new Date(now.getTime() + ms)

const windows: Record<string, Pick<TestBox, 'activeFrom' | 'activeUntil'>> = {
  'no window': {},
  'within the window': { activeFrom: inMs(-1), activeUntil: inMs(1) },
  'the first moment': { activeFrom: now },
  'before the window': { activeFrom: inMs(1) },
  'after the window': { activeUntil: now },
}

const stocks: Record<string, { entries: Omit<TestEntry, 'itemId'>[]; hasFallback?: boolean }> = {
  unlimited: { entries: [{ weight: 1 }] },
  'in stock': { entries: [{ weight: 1, stock: 9 }] },
  'sold out': { entries: [{ weight: 1, stock: 0 }] },
  'partly sold out': { entries: [{ weight: 1_000 }, { weight: 1, stock: 0 }] },
  'sold out with a fallback': { entries: [{ weight: 1, stock: 0 }], hasFallback: true },
}

/** The grants of a player, and the number of openings that they still allow. */
const grants: Record<string, { left: number; give: { count: number; used?: number; expiresAt?: Date }[] }> = {
  'no grant': { left: 0, give: [] },
  'a grant': { left: 2, give: [{ count: 2 }] },
  'a used grant': { left: 0, give: [{ count: 2, used: 2 }] },
  'an expired grant': { left: 0, give: [{ count: 2, expiresAt: now }] },
  'a grant about to expire': { left: 2, give: [{ count: 3, used: 1, expiresAt: inMs(1) }] },
  'several grants': {
    left: 4,
    give: [{ count: 3 }, { count: 2, used: 1 }, { count: 5, expiresAt: inMs(-1) }],
  },
}

/** The times at which a player has opened a limited box, and the number of openings that are still allowed. */
const limits: Record<
  string,
  { limit: NonNullable<TestBox['limit']>; openedHoursAgo: number[]; left: number }
> = {
  'never opened': { limit: { count: 2, period: 'day' }, openedHoursAgo: [], left: 2 },
  'opened yesterday': { limit: { count: 1, period: 'day' }, openedHoursAgo: [13], left: 1 },
  'opened today': { limit: { count: 2, period: 'day' }, openedHoursAgo: [12, 13], left: 1 }, // at midnight
  'opened enough today': { limit: { count: 1, period: 'day' }, openedHoursAgo: [1], left: 0 },
  'opened on Monday': { limit: { count: 1, period: 'week' }, openedHoursAgo: [60], left: 0 },
  'opened last week': { limit: { count: 1, period: 'week' }, openedHoursAgo: [61, 99], left: 1 },
  'opened more than now allowed': { limit: { count: 1, period: 'week' }, openedHoursAgo: [1, 2, 3], left: 0 },
  'opened long ago': { limit: { count: 1, period: 'lifetime' }, openedHoursAgo: [99_999], left: 0 },
}

/** The catalogue and `POST /box/open` use different statements, which must agree. */
describe('the catalogue', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => now } })
    atEnd(() => service.stop())
  })

  interface Offer {
    casino: TestCasino
    itemId: string
    boxIds: readonly string[]
  }
  const offers = new Map<string, Promise<Offer>>()

  /** A casino with a box for every combination of the properties besides `access`; all players share it. */
  function offerWith(access: Partial<TestBox>): Promise<Offer> {
    const key = JSON.stringify(access)
    const offer = offers.get(key) ?? makeOffer(access)
    offers.set(key, offer)
    return offer
  }

  async function makeOffer(access: Partial<TestBox>): Promise<Offer> {
    const casino = await service.factory.casino()
    const itemId = await service.factory.item(casino.id)
    const boxIds: string[] = []
    const usual = Object.values(stocks).slice(0, 1)
    for (const window of [...Object.values(windows), 'off' as const]) {
      // Each stock without a window, and each window with one stock; in the long form every combination.
      const tried = window === windows['no window'] || isLongForm ? Object.values(stocks) : usual
      for (const { entries, hasFallback = false } of tried) {
        const boxId = await service.factory.box(casino.id, {
          ...access,
          ...(window === 'off' ? {} : window),
          entries: entries.map((entry) => ({ itemId, ...entry })),
          ...(hasFallback ? { fallbackItemId: itemId } : {}),
        })
        if (window === 'off') {
          await service.database.box.updateMany({ where: { id: boxId }, data: { enabled: false } })
        }
        boxIds.push(boxId)
      }
    }
    return { casino, itemId, boxIds }
  }

  async function readCatalogue(casino: TestCasino, playerId: string): Promise<Map<unknown, unknown>> {
    const path = `/boxes?limit=200&player_id=${encodeURIComponent(playerId)}`
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    const reply = await service.client.send('GET', path, { headers })
    expect(at(reply, 'next_cursor')).to.equal(undefined)
    return new Map(
      listAt(reply).map((box, index) => [Reflect.get(Object(box), 'id'), at(reply, `data.${index}`)]),
    )
  }

  /** Opens every box and compares the result with the catalogue. */
  async function compare({ casino, boxIds }: Offer, playerId: string, left: number): Promise<void> {
    const catalogue = await readCatalogue(casino, playerId)
    const codes = new Set<string>()
    for (const boxId of boxIds) {
      const shown = catalogue.get(boxId)
      const single = await service.client.send(
        'GET',
        `/boxes/${boxId}?player_id=${encodeURIComponent(playerId)}`,
        { headers: { Authorization: `Bearer ${casino.apiKey}` } },
      )
      expect(at(single, 'data')).to.deep.equal(shown)
      const player = { playerId, ...Object(shown) } as {
        player?: { can_open: boolean; openings_left: number }
      }
      const opened = await service.client.post('/box/open', casino.apiKey, {
        player_id: playerId,
        box_id: boxId,
      })
      const code = opened.headers.get('X-Error-Code') ?? 'opened'
      codes.add(code)
      if (shown === undefined) {
        expect(single.headers.get('X-Error-Code')).to.be.oneOf(['box_closed', 'box_sold_out'])
        // If there are two reasons, an opening names the one that is about the player.
        expect(code).to.be.oneOf([single.headers.get('X-Error-Code'), 'opening_not_entitled'])
        continue
      }
      expect(player.player?.openings_left).to.equal(left)
      expect(player.player?.can_open).to.equal(left > 0)
      expect(code).to.equal(left > 0 ? 'opened' : 'opening_not_entitled')
    }
    expect(catalogue.size).to.be.greaterThan(0)
    expect([...codes]).to.include.members(
      left > 0 ? ['opened', 'box_closed', 'box_sold_out'] : ['box_closed'],
    )
    const afterwards = await readCatalogue(casino, playerId)
    for (const boxId of boxIds) {
      const shown = Object(afterwards.get(boxId)) as { player?: { openings_left: number } }
      if (catalogue.has(boxId)) expect(shown.player?.openings_left).to.equal(Math.max(0, left - 1))
    }
  }

  describe('agrees with openings of granted boxes', () => {
    for (const [what, { left, give }] of Object.entries(grants)) {
      it(`for a player with ${what}`, async () => {
        const playerId = `player with ${what}`
        const offer = await offerWith({})
        const { casino, boxIds } = offer
        for (const boxId of boxIds) {
          for (const { count, used = 0, expiresAt } of give) {
            const id = await service.factory.grant(casino.id, playerId, boxId, count, expiresAt)
            await service.database.grant.updateMany({ where: { id }, data: { used } })
          }
        }
        await compare(offer, playerId, left)
      })
    }
  })

  describe('agrees with openings of limited boxes', () => {
    for (const [what, { limit, openedHoursAgo, left }] of Object.entries(limits)) {
      it(`for a player who has ${what}`, async () => {
        const playerId = `player who has ${what}`
        const offer = await offerWith({ limit })
        const { casino, itemId, boxIds } = offer
        const openings = boxIds.flatMap((boxId) =>
          openedHoursAgo.map((hours) => ({ boxId, openedAt: inMs(-hours * hourMs) })),
        )
        await service.database.player.create({
          data: { casinoId: casino.id, id: playerId, openingCount: openings.length },
        })
        const made = openings.map((opening, index) => ({
          ...opening,
          id: newId('opn'),
          casinoId: casino.id,
          playerId,
          sequence: index + 1,
          version: 1,
          position: 1,
          itemId,
          substituted: false,
          prizeId: newId('prz'),
          requestId: 'test',
          oddsHash: '',
        }))
        // Openings without a seed: the database refuses new ones.
        await service.database.$transaction(async (transaction) => {
          await transaction.$executeRaw`SET LOCAL session_replication_role = 'replica'`
          await transaction.opening.createMany({ data: made })
        })
        await compare(offer, playerId, left)
      })
    }
  })
})
