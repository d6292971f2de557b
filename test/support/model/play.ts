import { textAt } from '../../api/admin/operator.ts'
import type { Reply } from '../client.ts'
import { delivery } from '../factory.ts'
import { eventsOf, readRecords } from './records.ts'
import type { Records } from './records.ts'
import { insist } from './world.ts'
import type { KnownPrize, Model, Operation, World } from './world.ts'

/** Claims a prize as its owner does, or another player. */
export async function claimPrize(
  model: Model,
  world: World,
  claim: { operation: 'order' | 'cashback'; prize: KnownPrize; byStranger: boolean; key: string | undefined },
  start: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { operation, prize, byStranger, key } = claim
  const player_id = byStranger ? 'stranger' : prize.playerId
  const body = { player_id, prize_id: prize.id, ...(operation === 'order' ? delivery : {}) }
  const fingerprint = `${operation} ${player_id} ${prize.id}`
  const known = model.accepted.find((accepted) => accepted.key === key && key !== undefined)
  const before = await readRecords(world.machine.database, world.casino.id)
  await start()
  const reply = await world.play(`/prize/${operation}`, body, key)
  const after = await readRecords(world.machine.database, world.casino.id)

  const what = `${operation} of prize ${prize.id}, answered with ${reply.status}`
  const isReplay = checkKey(model, reply, { key, fingerprint, known: known?.fingerprint }, what)
  const requestId = reply.headers.get('X-Request-Id')
  const effects = after.events.filter((event) => event.request_id === requestId)
  if (isReplay || reply.status !== 200) {
    insist(effects.length === 0, () => `${what}, had effects all the same`)
    if (isReplay || reply.status === 422) return
    const why = reply.headers.get('X-Error-Code') ?? ''
    const isStranger = byStranger && why === 'prize_not_owned'
    insist(
      isStranger || maybeRefused(world, claim, before, after),
      () => `${what} (${why}), although nothing is in its way`,
    )
    return
  }
  const types = effects.map((event) => event.type).sort()
  const expected =
    operation === 'order'
      ? ['prize.ordered', 'prize_order.placed']
      : ['cashback.requested', 'prize.cashback_pending']
  insist(types.join() === expected.join(), () => `${what}, with the events ${types.join()}`)
  insist(!byStranger, () => `${what}, to a stranger`)
  model.accepted.push({ operation, prizeId: prize.id, key, fingerprint })
}

/** Whether the answer is a repetition; complains when it should be one and is not. */
function checkKey(
  model: Model,
  reply: Reply,
  { key, fingerprint, known }: { key: string | undefined; fingerprint: string; known: string | undefined },
  what: string,
): boolean {
  const isReplay = reply.headers.get('Idempotency-Replayed') === 'true'
  insist(reply.status < 500, () => `${what}: ${reply.text}`)
  insist(
    known === undefined || (known === fingerprint ? isReplay && reply.status === 200 : reply.status === 422),
    () => `${what}, although its key stands for ${known}`,
  )
  // The answers to two simultaneous requests are compared when both have come.
  if (isReplay) model.repeated.push({ key: key ?? '', fingerprint })
  if (reply.status === 422) model.refusedKeys.push({ key: key ?? '', fingerprint })
  return isReplay
}

/** Whether the prize could not be claimed at some moment of the request. */
function maybeRefused(
  { machine }: World,
  { operation, prize }: { operation: Operation; prize: KnownPrize },
  before: Records,
  after: Records,
): boolean {
  const row = after.prizes.find(({ id }) => id === prize.id)
  if (row === undefined) return true
  if (operation === 'order' ? row.kind !== 'physical' : row.cashback_amount_minor === null) return true
  const earliest = before.prizes.find(({ id }) => id === prize.id)?.expires_at ?? null
  if (earliest !== null && new Date(earliest) <= machine.now()) return true
  const seen = eventsOf(before, 'prize', prize.id).length
  const states = eventsOf(after, 'prize', prize.id).slice(Math.max(0, seen - 1))
  return states.some((event) => event.to_state !== 'won')
}

/** Opens a box; later commands may claim the won prize. */
export async function openBox(
  model: Model,
  world: World,
  opening: { boxId: string; playerId: string; key: string | undefined },
): Promise<void> {
  const { boxId, playerId, key } = opening
  const fingerprint = `open ${playerId} ${boxId}`
  const known = model.accepted.find((accepted) => accepted.key === key && key !== undefined)
  const before = await readRecords(world.machine.database, world.casino.id)
  const reply = await world.play('/box/open', { player_id: playerId, box_id: boxId }, key)
  const after = await readRecords(world.machine.database, world.casino.id)
  const what = `opening of ${boxId} for ${playerId}, answered with ${reply.status}`
  const isReplay = checkKey(model, reply, { key, fingerprint, known: known?.fingerprint }, what)
  if (reply.status === 422) return
  if (reply.status !== 200) {
    const why = reply.headers.get('X-Error-Code') ?? ''
    const isJustified =
      why === 'box_sold_out'
        ? [before, after].some(({ stocks }) =>
            stocks.some((row) => row.box_id === boxId && row.remaining === 0),
          )
        : why === 'opening_not_entitled' &&
          after.grants.every(({ player_id, used, count }) => player_id !== playerId || used >= count)
    insist(isJustified, () => `${what} (${why}), although nothing is in its way`)
    return
  }
  const prizeId = textAt(reply, 'prize.id')
  if (isReplay) return
  insist(
    after.openings.filter((row) => row.prize_id === prizeId && row.player_id === playerId).length === 1,
    () => `${what}, with a prize that has no opening`,
  )
  model.accepted.push({ operation: 'open', prizeId, key, fingerprint })
  model.prizes.push({ id: prizeId, playerId })
}

/** Acknowledged records are there, once, and nothing else. */
export function findUnacknowledged({ accepted, repeated, refusedKeys }: Model, records: Records): string[] {
  const count = (operation: Operation, prizeId: string) =>
    accepted.filter((claim) => claim.operation === operation && claim.prizeId === prizeId).length
  const promised = (key: string) => accepted.filter((claim) => claim.key === key)
  return [
    ...records.prizes.flatMap(({ id }) => {
      const orders = records.orders.filter((row) => row.prize_id === id).length
      const cashbacks = records.cashbacks.filter((row) => row.prize_id === id).length
      const isRight = orders === count('order', id) && cashbacks === count('cashback', id)
      if (isRight) return []
      return [
        `prize ${id} has ${orders} orders and ${cashbacks} cashbacks, where ` +
          `${count('order', id)} and ${count('cashback', id)} were acknowledged`,
      ]
    }),
    ...(records.openings.length === accepted.filter(({ operation }) => operation === 'open').length
      ? []
      : [`${records.openings.length} openings, where others were acknowledged`]),
    ...repeated
      .filter(({ key, fingerprint }) => promised(key)[0]?.fingerprint !== fingerprint)
      .map(({ key }) => `key ${key} was answered again, for what was never answered before`),
    ...refusedKeys
      .filter(({ key, fingerprint }) => promised(key).every((claim) => claim.fingerprint === fingerprint))
      .map(({ key }) => `key ${key} was refused, although it stands for nothing else`),
    ...accepted
      .filter(({ key }) => key !== undefined && promised(key).length > 1)
      .map(({ key }) => `key ${key} had two effects`),
  ]
}
