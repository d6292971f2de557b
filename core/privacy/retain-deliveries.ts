import type { FindSettings } from '../casino/settings.ts'
import { RewardsError } from '../errors.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'
import { eraseFinishedDeliveries } from './erase-deliveries.ts'
import type { ErasableCasino } from './erase-deliveries.ts'

const casinosAtOnceMax = 500
const dayMs = 24 * 3_600_000

/**
 * Erases the delivery details that casinos no longer need: the number of days after the end of the order that the
 * casino's setting `privacy` specifies. Any number of processes may run it at the same time. Handles a bounded number
 * per page of casinos, and returns the number erased. Skips casinos whose setting cannot be read, and throws for them
 * at the end.
 */
export async function eraseOldDeliveries(
  deps: SetAsideDeps & { findSettings: FindSettings },
): Promise<number> {
  const { database, clock, findSettings } = deps
  const now = clock.now()
  let erased = 0
  let unreadable = 0
  let afterId = ''
  for (;;) {
    const casinos = await database.casino.findMany({
      where: { id: { gt: afterId } },
      orderBy: { id: 'asc' },
      take: casinosAtOnceMax,
      select: { id: true },
    })
    const due: ErasableCasino[] = []
    for (const [casinoId, settings] of await findSettings(casinos.map(({ id }) => id))) {
      try {
        const { deliveryRetentionDays } = settings.get('privacy').value
        due.push({ casinoId, finishedBefore: new Date(now.getTime() - deliveryRetentionDays * dayMs) })
      } catch (error) {
        if (!(error instanceof RewardsError)) throw error
        unreadable += 1
      }
    }
    erased += await eraseFinishedDeliveries(deps, due)
    const last = casinos.at(-1)
    if (last === undefined || casinos.length < casinosAtOnceMax) break
    afterId = last.id
  }
  if (unreadable > 0) throw new Error(`the setting privacy of ${unreadable} casinos cannot be read`)
  return erased
}
