import { eventually } from '../eventually.ts'
import { findContradictions } from './always.ts'
import { findFeedProblems, pollToTheEnd } from './feed.ts'
import { turnProvider } from './partners.ts'
import { findUnacknowledged } from './play.ts'
import { readRecords } from './records.ts'
import type { Records } from './records.ts'
import { findPartnerProblems, findUnfinished } from './settled.ts'
import { insist } from './world.ts'
import type { Model, World } from './world.ts'

/**
 * Until nothing is due any more, except snoozed work, and every event has reached the feed and the endpoint; immediately
 * when there is no worker. An event waits for older transactions and for the next round of the loop that fans out, which
 * the outbox does not show.
 */
export async function settleNow({ machine, casino }: World): Promise<void> {
  if (machine.countWorkers() === 0) return
  const isQuiet = async () => {
    const records = await readRecords(machine.database, casino.id)
    return (
      records.outbox.every((row) => row.snoozed_until !== null) &&
      records.withheld_events === 0 &&
      isFannedOut(records)
    )
  }
  await eventually('nothing is due', isQuiet, machine.settleBoundMs)
}

function isFannedOut({ endpoints, events, deliveries }: Records): boolean {
  const made = new Set(deliveries.map(({ event_id }) => event_id))
  return endpoints.every(({ state }) => state !== 'enabled') || events.every(({ id }) => made.has(id))
}

/** Of time that passes for the service; each takes milliseconds. */
const roundsMax = 60

/**
 * From now on everything works: partners answer, operators have acted, workers run. Then all work must end, however bad
 * it was before. Time advances from each due piece of work to the next.
 */
export async function settleAll(model: Model, world: World): Promise<void> {
  const { machine, casino, wallet, providers, receiver } = world
  wallet.behave('honest')
  wallet.answerLate()
  for (const provider of providers) turnProvider(provider, 'accepts')
  receiver.turn('takes')
  receiver.letGo()
  const before = await readRecords(machine.database, casino.id)
  for (const { name } of before.settings) await world.operator().post(`/${casino.id}/settings/${name}/resume`)
  // Workers know settings for two seconds; new ones ask.
  if (before.settings.some((setting) => setting.paused_at !== null) || machine.countWorkers() === 0)
    await machine.restartWorkers()

  let unfinished: string[] = []
  for (let round = 0; round < roundsMax; round++) {
    await settleNow(world)
    const records = await readRecords(machine.database, casino.id)
    // Also one that was switched off by a call which had begun before the receiver was well.
    if (records.endpoints.some(({ state }) => state !== 'enabled'))
      await world.operator().post(`/${casino.id}/webhook-endpoints/main/enable`)
    unfinished = [...findUnfinished(records), ...findUntold(world, records)]
    if (unfinished.length === 0) {
      await checkSettled(model, world)
      return
    }
    await machine.passTime(casino.id, untilNextMs(records, machine.now()))
  }
  insist(false, () => `does not settle:\n${unfinished.join('\n')}`)
}

function findUntold({ wishes, receiver }: World, { events }: Records): string[] {
  if (!wishes.hasWebhooks) return []
  const untold = events.filter(({ id }) => !receiver.taken.has(`evt_${id}`))
  return untold.map(({ id, type }) => `event evt_${id} (${type}) was not taken`)
}

/** How long until the next work is due that comes to an end; polls and reminders never do. */
function untilNextMs({ outbox, orders }: Records, now: Date): number {
  const times = outbox.flatMap(({ object_id, snoozed_until }) => {
    const order = orders.find(({ id }) => id === object_id)
    const isWaiting = order !== undefined && !['confirmed', 'cancel_requested'].includes(order.state)
    return snoozed_until === null || isWaiting ? [] : [Date.parse(snoozed_until)]
  })
  return times.length === 0 ? 100 : Math.max(100, Math.min(...times) - now.getTime())
}

async function checkSettled(model: Model, world: World): Promise<void> {
  await pollToTheEnd(model, world)
  const records = await readRecords(world.machine.database, world.casino.id)
  const problems = [
    ...findContradictions(records),
    ...findUnacknowledged(model, records),
    ...findFeedProblems(model, records),
    ...findPartnerProblems(model, world, records),
  ]
  insist(problems.length === 0, () => `after all has settled:\n${problems.join('\n')}`)
}
