import { randomBytes } from 'node:crypto'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret, parseApiKey } from '../../core/casino/api-key.ts'
import type { ApiKeyMode, ApiKeyScope } from '../../core/casino/api-key.ts'
import type { Database } from '../../core/platform/database.ts'
import type { PrizeState } from '../../core/prize/state.ts'
import { createLanes } from './in-parallel.ts'

export interface TestCasino {
  id: string
  /** A key with both scopes. */
  apiKey: string
}

export interface TestEntry {
  itemId: string
  weight: number
  stock?: number
}

export interface TestBox {
  boxId?: string
  entries: TestEntry[]
  fallbackItemId?: string
  limit?: { count: number; period: 'day' | 'week' | 'lifetime' }
  activeFrom?: Date
  activeUntil?: Date
}

export interface TestPrize {
  playerId?: string
  prizeId?: string
  kind?: 'physical' | 'cash' | 'bonus' | 'none'
  /** In minor units of EUR; null for a prize without cashback. */
  cashback?: number | null
  state?: PrizeState
  expiresAt?: Date
}

/** Writes what a test needs straight into the database, with every parent it lacks. */
export type Factory = ReturnType<typeof createFactory>

let counter = 0
const unique = (what: string) => `${what}-${++counter}-${randomBytes(3).toString('hex')}`

/** A text that only the stored hash can tell from the key: the same id, a right checksum, and not its secret. */
export function withOtherSecret(apiKey: string): string {
  const key = parseApiKey(apiKey)
  if (key === undefined) throw new Error('this is no key')
  return formatApiKey({ ...key, secret: generateApiKey().secret })
}

export function createFactory(database: Database, hashSecret: string) {
  async function casino(scopes: ApiKeyScope[] = ['play', 'manage']): Promise<TestCasino> {
    const id = unique('casino')
    await database.casino.create({ data: { id, name: id } })
    return { id, apiKey: await apiKey(id, scopes) }
  }

  /** The id of the sandbox of a casino, which has none yet. */
  async function sandbox(casinoId: string): Promise<string> {
    const id = `${casinoId}:test`
    await database.casino.create({ data: { id, name: id, sandboxOf: casinoId } })
    return id
  }

  async function apiKey(
    casinoId: string,
    scopes: ApiKeyScope[],
    { mode = 'live', ...times }: { expiresAt?: Date; revokedAt?: Date; mode?: ApiKeyMode } = {},
  ): Promise<string> {
    const key = generateApiKey(mode)
    await database.apiKey.create({
      data: {
        id: key.id,
        casinoId,
        mode,
        scopes,
        secretHash: new Uint8Array(hashApiKeySecret(hashSecret, key)),
        ...times,
      },
    })
    return formatApiKey(key)
  }

  async function item(casinoId: string, data: TestPrize & { name?: string; claimDays?: number } = {}) {
    const id = unique('item')
    const cashback = data.cashback === undefined ? 500 : data.cashback
    await database.item.create({
      data: {
        casinoId,
        id,
        name: data.name ?? id,
        kind: data.kind ?? 'physical',
        cashbackAmountMinor: cashback,
        cashbackCurrency: cashback === null ? null : 'EUR',
        claimDays: data.claimDays ?? null,
      },
    })
    return id
  }

  /** Version 1 of a box: limited when a limit is given, granted otherwise. */
  async function box(casinoId: string, data: TestBox): Promise<string> {
    const boxId = data.boxId ?? unique('box')
    const key = { casinoId, boxId, version: 1 }
    const entries = data.entries.map((entry, index) => ({ ...entry, position: index + 1 }))
    const oddsTable = {
      entries: data.entries.map(({ itemId, weight, stock }) => ({ itemId, weight, stock: stock ?? null })),
      fallbackItemId: data.fallbackItemId ?? null,
    }
    // In one statement: the database refuses entries that come after their version.
    await database.$transaction([
      database.box.create({ data: { casinoId, id: boxId, currentVersion: 1 } }),
      database.boxVersion.create({
        data: {
          ...key,
          name: boxId,
          access: data.limit === undefined ? 'granted' : 'limited',
          limitCount: data.limit?.count ?? null,
          limitPeriod: data.limit?.period ?? null,
          activeFrom: data.activeFrom ?? null,
          activeUntil: data.activeUntil ?? null,
          fallbackItemId: data.fallbackItemId ?? null,
          oddsHash: hashOddsTable(oddsTable),
        },
      }),
      database.boxEntry.createMany({
        data: entries.map(({ position, itemId, weight, stock }) => ({
          ...key,
          position,
          itemId,
          weight,
          stock: stock ?? null,
        })),
      }),
      database.boxStock.createMany({
        data: entries.flatMap(({ position, stock }) =>
          stock === undefined ? [] : [{ ...key, position, remaining: stock }],
        ),
      }),
    ])
    return boxId
  }

  async function grant(casinoId: string, playerId: string, boxId: string, count = 1, expiresAt?: Date) {
    const id = unique('grant')
    await database.grant.create({
      data: { casinoId, id, playerId, boxId, count, expiresAt: expiresAt ?? null },
    })
    return id
  }

  /** A prize that the player has won (unless `state` says otherwise), with its event. */
  async function prize(
    casinoId: string,
    data: TestPrize = {},
  ): Promise<{ prizeId: string; playerId: string }> {
    const prizeId = data.prizeId ?? unique('prize')
    const playerId = data.playerId ?? unique('player')
    const cashback = data.cashback === undefined ? 500 : data.cashback
    const now = new Date()
    await database.prize.create({
      data: {
        casinoId,
        id: prizeId,
        playerId,
        itemId: 'mug',
        itemName: 'Mug',
        kind: data.kind ?? 'physical',
        cashbackAmountMinor: cashback,
        cashbackCurrency: cashback === null ? null : 'EUR',
        state: data.state ?? 'won',
        expiresAt: data.expiresAt ?? null,
        createdAt: now,
        updatedAt: now,
      },
    })
    await database.event.create({
      data: {
        casinoId,
        objectType: 'prize',
        objectId: prizeId,
        sequence: 1,
        type: 'prize.won',
        toState: 'won',
        actor: 'test',
        createdAt: now,
      },
    })
    return { prizeId, playerId }
  }

  /** The number of rows made at the same time is limited: a row that waits too long for one of the pool's few connections fails. */
  const inLane = createLanes(3)
  const inTurn =
    <Args extends unknown[], Result>(make: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      inLane(() => make(...args))
  return {
    casino: inTurn(casino),
    sandbox: inTurn(sandbox),
    apiKey: inTurn(apiKey),
    item: inTurn(item),
    box: inTurn(box),
    grant: inTurn(grant),
    prize: inTurn(prize),
  }
}

/** Delivery details that pass, and that tests can look for where they must not turn up. */
export const delivery = {
  recipient_name: 'Ann Canary Example',
  street: '1 Canary Street',
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
  phone_number: '+1 555 0100',
  email: 'ann.canary@example.com',
  additional_notes: 'Ring twice',
}
