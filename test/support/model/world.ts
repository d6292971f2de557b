import type { Client, Reply } from '../client.ts'
import type { TestCasino } from '../factory.ts'
import type { FakeProvider } from '../fake-provider.ts'
import type { FakeWallet } from '../fake-wallet.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import type { Database } from '../../../core/platform/database.ts'
import type { ModelReceiver } from './receiver.ts'

/** The service under test, in this process or in others. */
export interface Machine {
  database: Database
  /** Of an API that runs. */
  client(): Client
  now(): Date
  /** Lets time pass for the service, and wakes this casino's work that was snoozed until then. */
  passTime(casinoId: string, ms: number): Promise<void>
  /** Expires and warns about prizes, as the worker does every few seconds. */
  sweepPrizes(): Promise<void>
  countWorkers(): number
  startWorker(): Promise<void>
  /** Ends one, in the middle of whatever it does; nothing when there is none. */
  stopWorker(): Promise<void>
  /** Ends all and starts one. */
  restartWorkers(): Promise<void>
  /** Kills the API, whatever it does, and starts another; only where it is a process. */
  killApi?(): Promise<void>
  /** How long what is due may take: a killed worker's jobs are missed only after a while. */
  settleBoundMs: number
}

/** How the casino of a run wants things done. */
export interface Wishes {
  wallet: 'ledger' | 'http'
  fulfilment: 'manual' | 'http'
  hasWebhooks: boolean
}

/** A provider, and the submissions that it has promised not to send. */
export interface ModelProvider {
  fake: FakeProvider
  cancelled: Set<string>
}

/** One run: a casino of its own with its partners. */
export interface World {
  machine: Machine
  wishes: Wishes
  casino: TestCasino
  wallet: FakeWallet
  /** The casino's setting names one of them at a time, the first to begin with. They share a secret. */
  providers: readonly ModelProvider[]
  providerSecret: string
  receiver: ModelReceiver
  /** With the casino's key, at the API that runs now. */
  operator(): TestOperator
  play(path: string, body: object, key?: string): Promise<Reply>
}

/** A prize as the model knows it: its origin, not its later states. */
export interface KnownPrize {
  id: string
  playerId: string
}

export type Operation = 'open' | 'order' | 'cashback'

/** A request that was answered with 200 and was not a repetition. */
export interface Accepted {
  operation: Operation
  /** Its subject: a prize, or for an opening the prize that was won. */
  prizeId: string
  key: string | undefined
  fingerprint: string
}

/** The memory of the commands. Everything else they read before and after their work. */
export interface Model {
  prizes: KnownPrize[]
  /** Ids of prizes that were named so far, given or not yet. */
  namedPrizes: number
  accepted: Accepted[]
  /** Keys of answers that were said to be repetitions, with the requests that were sent under them. */
  repeated: { key: string; fingerprint: string }[]
  /** Keys that were refused since they stood for something else. */
  refusedKeys: { key: string; fingerprint: string }[]
  /** The shipment updates that were accepted, by id. */
  updates: Map<string, object>
  feed: { cursor: string | undefined; events: FeedEvent[] }
  /** The commands so far, for the report of a failure. */
  log: string[]
}

export interface FeedEvent {
  id: string
  object: { type: string; id: string }
  sequence: number
}

export function newModel(): Model {
  return {
    prizes: [],
    namedPrizes: 0,
    accepted: [],
    repeated: [],
    refusedKeys: [],
    updates: new Map(),
    feed: { cursor: undefined, events: [] },
    log: [],
  }
}

/** An id that nothing else has, not even what is given at the same time. */
export function newPrizeId(model: Model, name: string): string {
  return `prize-${model.namedPrizes++}-${name}`
}

/** A contradiction between the service and the model. */
export class ModelError extends Error {
  override name = 'ModelError'
}

export function insist(condition: boolean, problem: () => string): void {
  if (!condition) throw new ModelError(problem())
}
