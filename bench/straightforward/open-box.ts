import { randomBytes } from 'node:crypto'
import type { LimitPeriod } from '../../core/box/box.ts'
import { drawEntry } from '../../core/box/draw.ts'
import { newId } from '../../core/platform/ids.ts'
import { HttpError } from './http-error.ts'
import type { Prisma, PrismaClient, Transaction } from './prisma.ts'
import type { RequestOf } from './request.ts'

export type OpenBox = (request: RequestOf<{ boxId: string }>) => Promise<object>

const dayMs = 24 * 3600 * 1000
const withEntries = { entries: { include: { item: true }, orderBy: { position: 'asc' } } } as const
type Version = Prisma.BoxVersionGetPayload<{ include: typeof withEntries }>

/** The source of its draws: without a proof, the system's random source is enough. */
const randomSource = () => randomBytes(8).readBigUInt64BE()

/**
 * Uses one entitlement, draws an entry and gives the prize, in one transaction that the player's row serialises (READ
 * COMMITTED, the default of PostgreSQL). The stock is a conditional decrement, as late as possible: its row stays
 * locked until the commit, and the remaining statements depend on whether it took effect.
 */
export function createOpenBox({ prisma }: { prisma: PrismaClient }): OpenBox {
  return async ({ casinoId, playerId, boxId, actor, requestId }) => {
    const now = new Date()
    const version = await findVersion(prisma, casinoId, boxId)
    if (version === null || !isActive(version, now)) throw unavailable()
    const entry = drawEntry(version.entries, randomSource)
    const opening = { id: newId('opn'), prizeId: newId('prz') }

    const { item, expiresAt } = await prisma.$transaction(async (tx) => {
      const player = await tx.player.upsert({
        where: { casinoId_id: { casinoId, id: playerId } },
        create: { casinoId, id: playerId, openingCount: 1 },
        update: { openingCount: { increment: 1 } },
      })
      const grantId = await useEntitlement(tx, version, playerId, now)
      const isSubstituted = entry.stock !== null && !(await takeStock(tx, version, entry.position))
      const item = isSubstituted ? await findFallback(tx, version) : entry.item
      const expiresAt = item.claimDays === null ? null : new Date(now.getTime() + item.claimDays * dayMs)
      await tx.opening.create({
        data: {
          id: opening.id,
          casinoId,
          playerId,
          sequence: player.openingCount,
          boxId,
          version: version.version,
          position: entry.position,
          itemId: item.id,
          substituted: isSubstituted,
          grantId,
          prizeId: opening.prizeId,
          requestId,
          oddsHash: version.oddsHash,
          openedAt: now,
        },
        select: { id: true },
      })
      await tx.prize.create({
        data: {
          casinoId,
          id: opening.prizeId,
          playerId,
          itemId: item.id,
          itemName: item.name,
          kind: item.kind,
          cashbackAmountMinor: item.cashbackAmountMinor,
          cashbackCurrency: item.cashbackCurrency,
          state: 'won',
          openingId: opening.id,
          expiresAt,
          createdAt: now,
          updatedAt: now,
        },
        select: { id: true },
      })
      await tx.event.create({
        data: {
          casinoId,
          objectType: 'prize',
          objectId: opening.prizeId,
          sequence: 1,
          type: 'prize.won',
          toState: 'won',
          actor,
          requestId,
          createdAt: now,
        },
        select: { id: true },
      })
      return { item, expiresAt }
    })
    return {
      id: opening.prizeId,
      item_id: item.id,
      name: item.name,
      kind: item.kind,
      ...(item.cashbackAmountMinor === null
        ? {}
        : {
            cashback: {
              amount_minor: Number(item.cashbackAmountMinor),
              currency: item.cashbackCurrency,
            },
          }),
      ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    }
  }
}

async function findVersion(prisma: PrismaClient, casinoId: string, boxId: string): Promise<Version | null> {
  const box = await prisma.box.findUnique({ where: { casinoId_id: { casinoId, id: boxId } } })
  if (box?.enabled !== true) return null
  return prisma.boxVersion.findUnique({
    where: { casinoId_boxId_version: { casinoId, boxId, version: box.currentVersion } },
    include: withEntries,
  })
}

function isActive({ activeFrom, activeUntil }: Version, now: Date): boolean {
  return (activeFrom === null || activeFrom <= now) && (activeUntil === null || now < activeUntil)
}

/** The beginning of the current period (UTC); weeks begin on Monday. */
function startOfPeriod(period: LimitPeriod, now: Date): Date {
  if (period === 'lifetime') return new Date(0)
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  if (period === 'week') midnight.setUTCDate(midnight.getUTCDate() - ((midnight.getUTCDay() + 6) % 7))
  return midnight
}

/** Returns the grant that was used, or null if the box is opened within a limit. */
async function useEntitlement(
  tx: Transaction,
  { casinoId, boxId, access, limitCount, limitPeriod }: Version,
  playerId: string,
  now: Date,
): Promise<string | null> {
  if (access === 'limited') {
    const since = startOfPeriod(limitPeriod as LimitPeriod, now)
    const opened = await tx.opening.count({ where: { casinoId, playerId, boxId, openedAt: { gte: since } } })
    if (opened >= (limitCount ?? 0)) throw unavailable()
    return null
  }
  const grants = await tx.grant.findMany({
    where: { casinoId, playerId, boxId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: [{ expiresAt: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
  })
  const grant = grants.find((candidate) => candidate.used < candidate.count)
  if (grant === undefined) throw unavailable()
  await tx.grant.update({
    where: { casinoId_id: { casinoId, id: grant.id } },
    data: { used: { increment: 1 } },
    select: { id: true },
  })
  return grant.id
}

/** Returns whether the stock had one left. */
async function takeStock(
  tx: Transaction,
  { casinoId, boxId, version }: Version,
  position: number,
): Promise<boolean> {
  const taken = await tx.boxStock.updateMany({
    where: { casinoId, boxId, version, position, remaining: { gt: 0 } },
    data: { remaining: { decrement: 1 } },
  })
  return taken.count > 0
}

async function findFallback(tx: Transaction, { casinoId, fallbackItemId }: Version) {
  if (fallbackItemId === null) throw unavailable()
  return tx.item.findUniqueOrThrow({ where: { casinoId_id: { casinoId, id: fallbackItemId } } })
}

function unavailable(): HttpError {
  return new HttpError(404, 'Box not found or unavailable')
}
