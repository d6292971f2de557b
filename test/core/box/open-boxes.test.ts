import { expect } from 'chai'
import { drawEntry } from '../../../core/box/draw.ts'
import type { OpenBoxRequest } from '../../../core/box/load-openers.ts'
import { createOpenBoxes } from '../../../core/box/open-boxes.ts'
import { RewardsError } from '../../../core/errors.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createStockCasino } from '../../support/stocks.ts'
import type { StockCasino } from '../../support/stocks.ts'
import { bytesOf, watchDatabase } from '../../support/watched-database.ts'

describe('a batch of openings', () => {
  let service: TestService
  let stocks: StockCasino

  const atEnd = atEndOfSuite()

  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    stocks = await createStockCasino(service.database, service.factory)
  })

  const requestOf = (playerId: string, boxId: string): OpenBoxRequest => ({
    casinoId: stocks.id,
    playerId,
    boxId,
    claim: undefined,
    forcedItemId: undefined,
    actor: 'test',
    requestId: 'r',
  })

  /** Opens as one batch, and lets something else happen after all is loaded, just before it is stored; counts the rounds. */
  const openAll = async (
    boxId: string,
    players: readonly string[],
    beforeStore: (round: number) => unknown,
  ) => {
    let rounds = 0
    let stores = 0
    const { database, clock, loadActiveSeeds } = service.deps
    const { processWaiting: openBoxes } = createOpenBoxes({
      clock,
      database: watchDatabase(database, {
        before: async (statement) => {
          if (statement.includes('opening_recorded')) await beforeStore(++stores)
        },
      }),
      loadActiveSeeds: (...args) => {
        rounds++
        return loadActiveSeeds(...args)
      },
      responseTo: ({ draw }) => `${draw.item.id}${draw.isSubstituted ? ' instead' : ''}`,
    })
    const results = await openBoxes(players.map((playerId) => requestOf(playerId, boxId)))
    const answers = results.map((result) => {
      if ('value' in result) return result.value.response
      if (result.error instanceof RewardsError) return result.error.code
      throw result.error
    })
    return { answers, rounds }
  }

  /** A player whose first openings draw these entries (1 is the mug, 2 the cap), whatever box of the two they open. */
  const findPlayer = async (name: string, positions: readonly number[]): Promise<string> => {
    const seed = (await service.deps.loadActiveSeeds([stocks.id])).get(stocks.id)
    const entries = [1, 2].map((position) => ({ position, weight: 1n }))
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const playerId = `${name}-${attempt}`
      const drawn = positions.map((_, index) => {
        const source = seed?.createDrawSource({ playerId, nonce: BigInt(index + 1), clientSeed: null })
        return source === undefined ? 0 : drawEntry(entries, source).position
      })
      if (drawn.join() === positions.join()) return playerId
    }
    throw new Error('no such player')
  }

  for (const hasFallback of [true, false]) {
    const what = hasFallback ? 'the fallback' : 'a refusal'
    it(`gives the last of an entry, not ${what}, when the opening that took it has lost a race [box-stock-denied]`, async () => {
      const boxId = await stocks.publish([1, undefined], { hasFallback })
      const otherBoxId = await stocks.publish([undefined, undefined])
      const racing = await findPlayer('racing', [1, 2])
      const next = await findPlayer('next', [1])
      const { answers } = await openAll(boxId, [racing, next], async (round) => {
        if (round > 1) return
        const reply = await service.client.post('/box/open', stocks.apiKey, {
          player_id: racing,
          box_id: otherBoxId,
        })
        expect(reply.status).to.equal(200)
      })
      expect(answers).to.deep.equal([stocks.cap, stocks.mug])
      expect(await stocks.readRemaining(boxId)).to.deep.equal([0])
    })
  }

  it('gives an entry whose stock is returned before the fallback is stored [box-stock-denied]', async () => {
    const boxId = await stocks.publish([1, undefined])
    await stocks.setRemaining(boxId, 1, 0)
    const player = await findPlayer('lucky', [1])
    const { answers } = await openAll(boxId, [player], (round) =>
      round === 1 ? stocks.setRemaining(boxId, 1, 1) : undefined,
    )
    expect(answers).to.deep.equal([stocks.mug])
    expect(await stocks.readRemaining(boxId)).to.deep.equal([0])
  })

  it('decides a second time, and only once, where it uses up a stock', async () => {
    const boxId = await stocks.publish([2, undefined])
    const players = []
    for (const name of ['ann', 'bob', 'cem', 'dan']) players.push(await findPlayer(name, [1]))
    const { answers, rounds } = await openAll(boxId, players, () => undefined)
    expect(answers).to.deep.equal([
      stocks.mug,
      stocks.mug,
      `${stocks.nothing} instead`,
      `${stocks.nothing} instead`,
    ])
    expect(rounds).to.equal(2)
    expect((await openAll(boxId, [await findPlayer('eve', [1])], () => undefined)).rounds).to.equal(1)
  })

  it('refuses openings after the last one of an entry without a fallback', async () => {
    const boxId = await stocks.publish([1, undefined], { hasFallback: false })
    const players = [await findPlayer('ann', [1]), await findPlayer('bob', [2])]
    const { answers } = await openAll(boxId, players, () => undefined)
    expect(answers).to.deep.equal([stocks.mug, 'box_sold_out'])
  })

  describe('of a large box', () => {
    const entryCount = 300
    let itemId: string
    beforeEach(async () => {
      itemId = await service.factory.item(stocks.id)
      await service.database.item.updateMany({
        where: { casinoId: stocks.id, id: itemId },
        data: { description: 'd'.repeat(4_000) },
      })
    })
    const makeBox = (limit?: { count: number; period: 'lifetime' }) =>
      service.factory.box(stocks.id, {
        entries: Array.from({ length: entryCount }, () => ({ itemId, weight: 1 })),
        ...(limit === undefined ? {} : { limit }),
      })

    /** How many bytes each of these batches, one after the other, has read. */
    const readBytes = async (batches: readonly (readonly OpenBoxRequest[])[]) => {
      const bytes: number[] = []
      let sum = 0
      const { database, clock, loadActiveSeeds } = service.deps
      const { processWaiting: openBoxes } = createOpenBoxes({
        clock,
        loadActiveSeeds,
        responseTo: () => '',
        database: watchDatabase(database, { after: (_, rows) => (sum += bytesOf(rows)) }),
      })
      const results = []
      for (const batch of batches) {
        sum = 0
        results.push(...(await openBoxes(batch)))
        bytes.push(sum)
      }
      return { bytes, results }
    }

    it('reads the odds once, and only the texts of the items that were won', async () => {
      const boxId = await makeBox({ count: 10, period: 'lifetime' })
      const batch = () => ['ann', 'bob', 'cem'].map((playerId) => requestOf(playerId, boxId))
      const { bytes, results } = await readBytes([batch(), batch()])
      expect(results.every((result) => 'value' in result)).to.equal(true)
      // Three descriptions and some rows; first also an id and two numbers of each entry.
      expect(bytes[0]).to.be.lessThan(100_000)
      expect(bytes[1]).to.be.lessThan(20_000)
    })

    it('reads no odds or texts for players who may not open it', async () => {
      const boxId = await makeBox()
      const { bytes, results } = await readBytes([[requestOf('stranger', boxId)]])
      expect(results[0]).to.have.nested.property('error.code', 'opening_not_entitled')
      expect(bytes[0]).to.be.lessThan(5_000)
    })
  })
})
