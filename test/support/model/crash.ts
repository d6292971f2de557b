import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { eventually } from '../eventually.ts'
import { delivery } from '../factory.ts'
import { hasPrizes } from './deed.ts'
import type { Deed } from './deed.ts'
import { insist } from './world.ts'
import type { KnownPrize, Model, World } from './world.ts'

/**
 * Claims are under way when the API is killed. A caller without an answer asks again, with the same key, until there is one:
 * then it counts, once, no matter which of the requests had the effect.
 */
export const crashOfApi = fc.nat(40).map((delayMs): Deed => ({
  label: `the API is killed ${delayMs} ms into claims`,
  isPossible: hasPrizes,
  run: async (model, world) => {
    const claims = model.prizes
      .slice(-4)
      .flatMap((prize) => (['order', 'cashback'] as const).map((operation) => ({ operation, prize })))
    const sent = claims.map((claim, index) => claimUntilAnswered(model, world, claim, index))
    await pause(delayMs)
    await world.machine.killApi?.()
    await Promise.all(sent)
  },
}))

let crashes = 0

async function claimUntilAnswered(
  model: Model,
  world: World,
  { operation, prize }: { operation: 'order' | 'cashback'; prize: KnownPrize },
  index: number,
): Promise<void> {
  const key = `crash-${++crashes}-${index}`
  const body = { player_id: prize.playerId, prize_id: prize.id, ...(operation === 'order' ? delivery : {}) }
  const reply = await eventually(
    `an answer to ${operation} of ${prize.id}`,
    () => world.play(`/prize/${operation}`, body, key).catch(() => undefined),
    30_000,
  )
  insist(reply.status === 200 || reply.status === 404, () => `${key} was answered with ${reply.text}`)
  if (reply.status !== 200) return
  const fingerprint = `${operation} ${prize.playerId} ${prize.id}`
  model.accepted.push({ operation, prizeId: prize.id, key, fingerprint })
}
