import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { RewardsError } from '../errors.ts'
import type { ActiveSeed, LoadActiveSeeds } from '../fairness/seeds.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { decideOpening } from './decide-opening.ts'
import { boxKeyOf, loadBoxes } from './load-boxes.ts'
import type { LoadedBox } from './load-boxes.ts'
import { loadOpeners } from './load-openers.ts'
import type { OpenBoxRequest, Opener } from './load-openers.ts'
import type { Opening, OpeningWrite } from './opening.ts'
import { ensurePlayers, storeOpenings } from './store-openings.ts'

interface Loaded {
  now: Date
  boxes: ReadonlyMap<string, LoadedBox>
  openers: ReadonlyMap<OpenBoxRequest, Opener>
  seeds: ReadonlyMap<string, ActiveSeed>
}

export interface OpenBoxesDeps {
  database: Database
  clock: Clock
  loadActiveSeeds: LoadActiveSeeds
  /** The body of the answer, stored under the idempotency key. */
  renderBody: (opening: Opening) => string
}

const dayMs = 24 * 3600 * 1000

/**
 * Opens boxes for players: one entitlement is used, one entry is drawn, one prize is won, in one statement. A batch must
 * not hold two requests of one player. Refuses with `box_unknown`, `box_closed`, `box_sold_out`, `opening_not_entitled`
 * or `idempotency_key_reused`.
 */
export function createOpenBoxes(
  deps: OpenBoxesDeps,
): (requests: readonly OpenBoxRequest[]) => Promise<Settled<Answer>[]> {
  const change: Change<OpenBoxRequest, Loaded, OpeningWrite, Answer> = {
    load: (requests) => load(deps, requests),
    decide: (request, loaded) => {
      const opener = loaded.openers.get(request)
      if (opener === undefined) throw new Error('a request was not loaded')
      const replay = replayOf('box_open', request.claim, opener.stored)
      return replay ? { answer: replay } : decide(deps, request, opener, loaded)
    },
    store: async (writes) => {
      await ensurePlayers(deps.database, writes)
      return storeOpenings(deps.database, deps.clock.now(), writes)
    },
  }
  return (requests) => loadDecideStore(change, requests)
}

async function load(deps: OpenBoxesDeps, requests: readonly OpenBoxRequest[]): Promise<Loaded> {
  const now = deps.clock.now()
  const boxes = await loadBoxes(deps.database, requests)
  const limits = requests.map((request) => boxes.get(boxKeyOf(request))?.limit ?? null)
  const openers = await loadOpeners(deps.database, requests, limits, now)
  return { now, boxes, openers, seeds: await loadSeeds(deps, openers) }
}

/**
 * The seeds that were active when the players were read, or are now, if they have to be looked up. Never older ones: a seed
 * before the player's last one would begin its nonces anew and repeat them. With a newer one the player has moved on
 * since, and the store refuses.
 */
function loadSeeds(deps: OpenBoxesDeps, openers: Loaded['openers']): Promise<Loaded['seeds']> {
  const seenIds = new Map<string, string>()
  for (const [{ casinoId }, { activeSeedId }] of openers) {
    if (activeSeedId !== null) seenIds.set(casinoId, activeSeedId)
  }
  return deps.loadActiveSeeds(
    [...openers.keys()].map(({ casinoId }) => casinoId),
    seenIds,
  )
}

function decide(
  deps: OpenBoxesDeps,
  request: OpenBoxRequest,
  opener: Opener,
  { now, boxes, seeds }: Loaded,
): { write: OpeningWrite } | 'next_round' {
  const box = boxes.get(boxKeyOf(request))
  if (box === undefined) throw new RewardsError('box_unknown')
  if (!box.isAsPublished)
    throw new RewardsError(
      'internal',
      `version ${box.version} of the box ${box.boxId} does not have the odds that were published`,
    )
  const seed = seeds.get(request.casinoId)
  if (seed === undefined) throw new RewardsError('internal', 'the casino has no seed that can be opened')
  const isFirstUnderSeed = opener.seedId !== seed.id
  const nonce = isFirstUnderSeed ? 1n : opener.nonce + 1n
  const clientSeed = isFirstUnderSeed ? opener.clientSeed : opener.seedClientSeed
  const source = seed.createDrawSource({ playerId: request.playerId, nonce, clientSeed })
  const draw = decideOpening(box, opener.entitlement, source, now, request.forcedItemId)
  if (draw === 'next_round') return draw
  const opening: Opening = {
    id: newId('opn'),
    boxId: request.boxId,
    version: box.version,
    oddsHash: box.oddsHash,
    seedId: seed.id,
    seedCommitment: seed.commitment,
    nonce,
    clientSeed,
    prizeId: newId('prz'),
    draw,
    expiresAt: draw.item.claimDays === null ? null : new Date(now.getTime() + draw.item.claimDays * dayMs),
  }
  return {
    write: {
      request,
      opening,
      openingCount: opener.openingCount ?? 0n,
      wantedClientSeed: opener.clientSeed,
      isNewPlayer: opener.openingCount === undefined,
      body: deps.renderBody(opening),
    },
  }
}
