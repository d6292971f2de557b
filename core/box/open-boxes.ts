import type { LaneProcesses } from '../batch/lane-batcher.ts'
import type { Extent } from '../batch/load-decide-store.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import { RewardsError } from '../errors.ts'
import type { ActiveSeed, LoadActiveSeeds } from '../fairness/seeds.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { rowLocks } from '../platform/sql.ts'
import { admit, decideOpening } from './decide-opening.ts'
import type { DrawnEntry } from './decide-opening.ts'
import { entryKeyOf, loadDrawnEntries } from './load-drawn.ts'
import type { EntryName } from './load-drawn.ts'
import { createKnownOdds, oddsKeyOf } from './known-odds.ts'
import type { KnownOdds, PublishedEntry, PublishedOdds, VersionName } from './known-odds.ts'
import { loadOpeners } from './load-openers.ts'
import type { OpenBoxRequest, Opener, OpenerBox } from './load-openers.ts'
import type { Opening, OpeningWrite } from './opening.ts'
import { ensurePlayers, storeOpenings } from './store-openings.ts'
import type { OpeningLocks } from './store-openings.ts'

/** A request whose player may open the box, and the seeds to draw with. */
interface Admitted {
  request: OpenBoxRequest
  box: OpenerBox
  seed: ActiveSeed
  nonce: bigint
  clientSeed: string | null
  grantId: string | null
}

interface Drawn {
  admitted: Admitted
  entry: DrawnEntry
  isForced: boolean
  openingId: string
  prizeId: string
}

interface Loaded {
  now: Date
  openers: ReadonlyMap<OpenBoxRequest, Opener>
  /** The draw of each request, or its refusal; absent if the batch would have to read more odds than it may. */
  drawn: ReadonlyMap<OpenBoxRequest, Drawn | { refusal: unknown }>
}

export interface OpenBoxesDeps {
  database: Database
  clock: Clock
  loadActiveSeeds: LoadActiveSeeds
  /** The answer to a request that is carried out; see `Answer`. */
  responseTo: (opening: Opening) => string
}

const oddsStatementsMax: Record<Extent, number> = { shared: 0, turn: 1, all: Infinity }
const dayMs = 24 * 3600 * 1000

/**
 * Opens boxes: one entitlement is used, one entry is drawn and one prize is won, in one statement. A batch must not
 * have two requests of one player. Throws `box_unknown`, `box_closed`, `box_sold_out`, `opening_not_entitled` or
 * `idempotency_key_reused`.
 */
export function createOpenBoxes(deps: OpenBoxesDeps): LaneProcesses<OpenBoxRequest, Answer> {
  const loadDeps = { ...deps, knownOdds: createKnownOdds(deps.database) }
  const store = async (writes: readonly OpeningWrite[], locks: OpeningLocks) => {
    await ensurePlayers(deps.database, writes)
    return storeOpenings(deps.database, deps.clock.now(), writes, locks)
  }
  const change: SharedChange<OpenBoxRequest, Loaded, OpeningWrite, Answer> = {
    load: (requests, extent) => load(loadDeps, requests, extent),
    decide: (request, loaded) => {
      const opener = loaded.openers.get(request)
      if (opener === undefined) throw new Error('no loaded data for a request')
      const replay = replayOf('box_open', request.claim, opener.stored)
      return replay ? { answer: replay } : decide(deps, request, opener, loaded)
    },
    plan: ({ request, opening: { draw: drawn } }, loaded) => {
      const one = loaded.drawn.get(request)
      if (!drawn.isSubstituted && one !== undefined && 'entry' in one) one.entry.wanted++
    },
    store: (writes) => store(writes, { players: rowLocks.wait, stocks: rowLocks.wait }),
    storeFree: (writes) => store(writes, { players: rowLocks.skip, stocks: rowLocks.skip }),
    // Processes take turns at a contended stock: a process that skipped locked rows would seldom get one.
    storeShared: (writes) => store(writes, { players: rowLocks.skip, stocks: rowLocks.wait }),
  }
  return processesOf(change)
}

/**
 * Cheapest checks first. One row of the box and one of the player tell who may open. Only for those requests an entry
 * is drawn, from odds that are cached, and only for drawn entries the item and the stock are read.
 */
async function load(
  deps: OpenBoxesDeps & { knownOdds: KnownOdds },
  requests: readonly OpenBoxRequest[],
  extent: Extent,
): Promise<Loaded> {
  const now = deps.clock.now()
  const openers = await loadOpeners(deps.database, requests, now)
  const seeds = await loadSeeds(deps, openers)
  const drawn = new Map<OpenBoxRequest, Drawn | { refusal: unknown }>()
  const attempt = <Value>(request: OpenBoxRequest, step: () => Value): Value[] => {
    try {
      return [step()]
    } catch (refusal) {
      drawn.set(request, { refusal })
      return []
    }
  }
  const admitted = [...openers]
    .filter(([, { stored }]) => stored === undefined) // answered already
    .flatMap(([request, opener]) => attempt(request, () => admitRequest(request, opener, seeds, now)))
  const { odds, unread } = await deps.knownOdds.load(admitted.map(versionOf), oddsStatementsMax[extent])
  const readOnes = admitted.filter((one) => !unread.has(oddsKeyOf(versionOf(one))))
  const names = readOnes.flatMap((one) =>
    attempt(one.request, () => ({ one, name: draw(one, odds.get(oddsKeyOf(versionOf(one)))) })),
  )
  const entries = await loadDrawnEntries(
    deps.database,
    names.map(({ name }) => name),
  )
  for (const { one, name } of names) {
    const entry = entries.get(entryKeyOf(name))
    if (entry === undefined) throw new Error('no loaded data for a drawn entry')
    const isForced = one.request.forcedItemId !== undefined
    drawn.set(one.request, { admitted: one, entry, isForced, openingId: newId('opn'), prizeId: newId('prz') })
  }
  return { now, openers, drawn }
}

function admitRequest(
  request: OpenBoxRequest,
  opener: Opener,
  seeds: ReadonlyMap<string, ActiveSeed>,
  now: Date,
): Admitted {
  const { box, entitlement } = opener
  if (box === undefined) throw new RewardsError('box_unknown')
  const { grantId } = admit(box.terms, entitlement, now)
  const seed = seeds.get(request.casinoId)
  if (seed === undefined) throw new RewardsError('internal', 'the casino has no seed that can be opened')
  const isFirstUnderSeed = opener.seedId !== seed.id
  const nonce = isFirstUnderSeed ? 1n : opener.nonce + 1n
  const clientSeed = isFirstUnderSeed ? opener.clientSeed : opener.seedClientSeed
  return { request, box, seed, nonce, clientSeed, grantId }
}

function versionOf({ request: { casinoId, boxId }, box: { version, oddsHash } }: Admitted): VersionName {
  return { casinoId, boxId, version, oddsHash }
}

function draw(admitted: Admitted, odds: PublishedOdds | undefined): EntryName {
  const { request, box, seed, nonce, clientSeed } = admitted
  if (odds === undefined)
    throw new RewardsError(
      'internal',
      `version ${box.version} of the box ${request.boxId} does not have the odds that were published`,
    )
  const entry =
    request.forcedItemId === undefined
      ? odds.draw(seed.createDrawSource({ playerId: request.playerId, nonce, clientSeed }))
      : getEntry(odds, request.forcedItemId)
  return { version: versionOf(admitted), odds, entry }
}

function getEntry(odds: PublishedOdds, itemId: string): PublishedEntry {
  const entry = odds.findEntry(itemId)
  if (entry === undefined) throw new RewardsError('test_outcome_unknown')
  return entry
}

/**
 * The seeds that were active when the players were read, or newer ones. Never older ones: with a seed from before the
 * player's last one, nonces would start again and repeat. With a newer one, the player has changed since, and the store
 * refuses.
 */
function loadSeeds(
  deps: OpenBoxesDeps,
  openers: Loaded['openers'],
): Promise<ReadonlyMap<string, ActiveSeed>> {
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
  { now, drawn }: Loaded,
): { write: OpeningWrite } | 'next_round' | 'set_aside' {
  const one = drawn.get(request)
  if (one === undefined) return 'set_aside'
  if ('refusal' in one) throw one.refusal
  const { entry, openingId, prizeId, isForced } = one
  const { box, seed, nonce, clientSeed, grantId } = one.admitted
  const outcome = decideOpening(entry)
  if (outcome === 'next_round') return outcome
  const { item, isSubstituted } = outcome
  const opening: Opening = {
    id: openingId,
    boxId: request.boxId,
    version: box.version,
    oddsHash: box.oddsHash,
    seedId: seed.id,
    seedCommitment: seed.commitment,
    nonce,
    clientSeed,
    prizeId,
    draw: { entry, item, isSubstituted, isForced, grantId },
    expiresAt: item.claimDays === null ? null : new Date(now.getTime() + item.claimDays * dayMs),
  }
  return {
    write: {
      request,
      opening,
      openingCount: opener.openingCount ?? 0n,
      wantedClientSeed: opener.clientSeed,
      isNewPlayer: opener.openingCount === undefined,
      response: deps.responseTo(opening),
    },
  }
}
