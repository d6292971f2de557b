import { readActions } from '../audit/read-actions.ts'
import { readAnswersOfCashbacks } from '../cashback/read-answers.ts'
import { listCashbacksOfPrize } from '../cashback/read-cashbacks.ts'
import { readHistory } from '../event/read-history.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { listNotesOfPrize } from '../note/read-notes.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { listOrdersOfPrize } from '../prize-order/read-orders.ts'
import { getPrize } from '../prize/read-prizes.ts'
import { listDeliveriesOfObjects } from '../webhook/read-deliveries.ts'
import { mergeTimeline } from './timeline.ts'
import type { Timeline } from './timeline.ts'

/** More than a page shows; a longer story is that of a script. */
export const entriesMax = 500

/** Throws `prize_unknown`. Each source is one statement, which reads one entry more than is shown at most. */
export async function readTimeline(
  deps: { database: Database; cipher: EnvelopeCipher; log: Logger },
  { casinoId, prizeId }: { casinoId: string; prizeId: string },
): Promise<Timeline> {
  const { database } = deps
  await getPrize(database, casinoId, prizeId)
  const [orders, cashbacks] = await Promise.all([
    listOrdersOfPrize(database, casinoId, prizeId),
    listCashbacksOfPrize(database, casinoId, prizeId),
  ])
  const objects = [
    { type: 'prize' as const, id: prizeId },
    ...orders.rows.map(({ id }) => ({ type: 'prize_order' as const, id })),
    ...cashbacks.rows.map(({ id }) => ({ type: 'cashback' as const, id })),
  ]
  const max = entriesMax + 1
  const cashbackIds = cashbacks.rows.map(({ id }) => id)
  const [history, answers, deliveries, actions, notes] = await Promise.all([
    readHistory(database, casinoId, objects, max),
    readAnswersOfCashbacks(database, casinoId, cashbackIds),
    listDeliveriesOfObjects(database, casinoId, objects, max),
    readActions(database, casinoId, objects, max),
    listNotesOfPrize(deps, { casinoId, prizeId }, max),
  ])
  const story = mergeTimeline({ history, answers, deliveries, actions, notes: notes.reverse() }, entriesMax)
  return { ...story, isPartial: story.isPartial || orders.hasMore || cashbacks.hasMore }
}
