import { at, listAt, textAt } from '../../api/admin/operator.ts'
import type { Records } from './records.ts'
import { insist } from './world.ts'
import type { FeedEvent, Model, World } from './world.ts'

/** A poller continues from where it was, by a page. Says whether there may be more. */
export async function pollFeed(model: Model, world: World, limit: number): Promise<boolean> {
  const { feed } = model
  const after = feed.cursor === undefined ? '' : `&after=${feed.cursor}`
  const from = feed.cursor
  const reply = await world.operator().get(`/${world.casino.id}/events?limit=${limit}${after}`)
  insist(reply.status === 200, () => `the feed answered ${reply.status}: ${reply.text}`)
  // Two asked at the same time, and the other one is further already: a place is kept by compare-and-set.
  if (feed.cursor !== from) return true
  feed.events.push(...(listAt(reply) as FeedEvent[]))
  feed.cursor = textAt(reply, 'next_cursor')
  return at(reply, 'has_more') === true
}

const pagesMax = 200

export async function pollToTheEnd(model: Model, world: World): Promise<void> {
  for (let page = 0; page < pagesMax; page++) if (!(await pollFeed(model, world, 100))) return
  insist(false, () => 'the feed has no end')
}

/** The poller has seen every event once, and those of each object in their order. */
export function findFeedProblems({ feed }: Model, { events }: Records): string[] {
  const seen = feed.events.map(({ id }) => id)
  const written = events.map(({ id }) => `evt_${id}`)
  const twice = seen.filter((id, index) => seen.indexOf(id) !== index)
  const missed = written.filter((id) => !seen.includes(id))
  const unknown = seen.filter((id) => !written.includes(id))
  return [
    ...(twice.length === 0 ? [] : [`the feed has told ${twice.join()} more than once`]),
    ...(missed.length === 0 ? [] : [`the feed has not told ${missed.join()}`]),
    ...(unknown.length === 0 ? [] : [`the feed has told ${unknown.join()}, which nobody wrote`]),
    ...findDisorder(feed.events).map((problem) => `the feed ${problem}`),
  ]
}

/** Objects whose events come in another order than they happened. */
export function findDisorder(events: readonly Pick<FeedEvent, 'object' | 'sequence'>[]): string[] {
  const latest = new Map<string, number>()
  return events.flatMap(({ object, sequence }) => {
    const name = `${object.type} ${object.id}`
    const before = latest.get(name) ?? 0
    latest.set(name, sequence)
    return sequence > before ? [] : [`has event ${sequence} of ${name} after ${before}`]
  })
}
