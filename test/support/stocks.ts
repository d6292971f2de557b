import { expect } from 'chai'
import type { Database } from '../../core/platform/database.ts'
import type { Client } from './client.ts'
import type { Factory } from './factory.ts'

/** A casino whose stocks are looked at, opened and put wrong. */
export type StockCasino = Awaited<ReturnType<typeof createStockCasino>>

export async function createStockCasino(database: Database, factory: Factory) {
  const { id, apiKey } = await factory.casino()
  const mug = await factory.item(id)
  const cap = await factory.item(id)
  const nothing = await factory.item(id, { kind: 'none', cashback: null })
  return {
    id,
    mug,
    cap,
    nothing,

    apiKey,

    /** A box of a mug and a cap, equally likely, with so many of each; undefined: without a limit. */
    publish: (
      stocks: [number | undefined, number | undefined],
      { hasFallback = true } = {},
    ): Promise<string> =>
      factory.box(id, {
        entries: [mug, cap].map((itemId, index) => {
          const stock = stocks[index]
          return { itemId, weight: 1, ...(stock === undefined ? {} : { stock }) }
        }),
        ...(hasFallback ? { fallbackItemId: nothing } : {}),
        limit: { count: 1_000_000, period: 'lifetime' },
      }),

    /** Opens the box for so many players, a few at a time through each API. */
    openFor: async (clients: readonly Client[], boxId: string, players: number): Promise<void> => {
      const names = Array.from({ length: players }, (_, index) => `player-${index}`)
      const refused: unknown[] = []
      const openSome = async (client: Client) => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          const reply = await client.post('/box/open', apiKey, { player_id: name, box_id: boxId })
          if (reply.status !== 200) refused.push(reply)
        }
      }
      await Promise.all(clients.flatMap((client) => Array.from({ length: 16 }, () => openSome(client))))
      expect(refused).to.deep.equal([])
    },

    /** As nothing of ours does. */
    setRemaining: (boxId: string, position: number, remaining: number) =>
      database.boxStock.updateMany({ where: { boxId, position }, data: { remaining } }),

    readRemaining: async (boxId: string): Promise<number[]> =>
      (await database.boxStock.findMany({ where: { boxId }, orderBy: { position: 'asc' } })).map(
        (stock) => stock.remaining,
      ),

    countWins: (boxId: string, itemId: string): Promise<number> =>
      database.opening.count({ where: { boxId, itemId } }),
  }
}
