import { expect } from 'chai'
import { createFindWallets } from '../../core/cashback/casino-wallets.ts'
import type { CasinoWallet } from '../../core/cashback/casino-wallets.ts'
import { createCreditCashback } from '../../core/cashback/credit-cashback.ts'
import type { CreditCashbackDeps } from '../../core/cashback/credit-cashback.ts'
import { createMoveCashbacks } from '../../core/cashback/move-cashbacks.ts'
import type { CashbackMove } from '../../core/cashback/decide-resolution.ts'
import { newHolder } from '../../core/outbound/call-slots.ts'
import { partnerIdOf } from '../../core/partner/partner-id.ts'
import { createHttpWallet } from '../../core/partner/wallet.ts'
import type { Clock } from '../../core/platform/clock.ts'
import { RewardsError } from '../../core/errors.ts'
import type { Config } from '../../core/platform/config.ts'
import type { Database } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import type { DueWork, WorkResult } from '../../core/queue/jobs.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import type { WorkerDeps } from '../../worker/deps.ts'
import { createTestConfig } from './config.ts'
import { unlimitedSlots } from './unlimited-slots.ts'
import { eventually } from './eventually.ts'
import { startFakeWallet, useWallet } from './fake-wallet.ts'
import type { FakeWallet } from './fake-wallet.ts'
import { createWorkFactory } from './work.ts'

/** The work of crediting, job by job as a queue would have it done, with a wallet behind a real server. */
export interface Crediting {
  config: Config
  database: Database
  clock: Clock
  deps(): WorkerDeps
  wallet(): FakeWallet
  setTime(now: Date): void
  /** A new wallet and the first moment again; for `beforeEach`. */
  begin(): Promise<void>
  /** Stops the wallet and looks whether it has been treated as it should; for `afterEach`. */
  end(): Promise<void>
  close(): Promise<void>
  /** Continues with a worker that has not read any setting. */
  restart(): Promise<void>
  /** The crediting of another process, with something that befalls it. */
  startOther(befalling: Partial<CreditCashbackDeps>): Pick<Crediting, 'run'>
  /** The crediting of a process for which this is the wallet of every casino, whatever the settings say. */
  startWith(wallet: FakeWallet, timeoutMs?: number): Pick<Crediting, 'run'>
  /** Cashbacks of 5 EUR of a new casino with this wallet. */
  request(count?: number, timeoutMs?: number): Promise<{ casinoId: string; works: DueWork[] }>
  requestOne(timeoutMs?: number): Promise<DueWork>
  run(work: DueWork): Promise<WorkResult>
  /** A move of an operator: the state that it led to, or the code it was refused with; and the work that it causes. */
  move(work: DueWork, move: CashbackMove): Promise<{ said: string; caused: DueWork[] }>
  read(work: DueWork | undefined): ReturnType<Database['cashback']['findUniqueOrThrow']>
  prizeOf(work: DueWork): ReturnType<Database['prize']['findUniqueOrThrow']>
  outboxOf(work: DueWork): Promise<{ dueAt: Date; snoozedUntil: Date | null } | null>
  /** How long the work rests; throws when it does not. */
  restsMs(work: DueWork): Promise<number>
  historyOf(work: DueWork, of?: 'cashback' | 'prize'): ReturnType<Database['event']['findMany']>
  /** Types of its history, without the object in front. */
  typesOf(work: DueWork, of?: 'cashback' | 'prize'): Promise<string[]>
  callsReach(count: number): Promise<unknown>
}

const start = new Date('2027-05-06T12:00:00Z')

export async function createCrediting(): Promise<Crediting> {
  const config = await createTestConfig('postgres')
  let now = start
  const clock = { now: () => now }
  let worker = createWorkerDeps(config, { clock })
  let wallet = await startFakeWallet()
  await wallet.stop()

  const request = async (count = 1, timeoutMs?: number) => {
    const works = await createWorkFactory(worker.deps.database, config).cashbacks(count)
    const [first] = works
    if (first === undefined) throw new Error('no work')
    const { casinoId } = await read(first)
    await useWallet(worker.deps.database, config, casinoId, wallet, timeoutMs)
    return { casinoId, works }
  }
  const read = (work: DueWork | undefined) =>
    worker.deps.database.cashback.findUniqueOrThrow({ where: { id: work?.objectId ?? '' } })
  const outboxOf = (work: DueWork) =>
    worker.deps.database.outbox.findUnique({ where: { id: BigInt(work.outboxId) } })
  const historyOf = async (work: DueWork, objectType: 'cashback' | 'prize' = 'cashback') => {
    const objectId = objectType === 'prize' ? (await read(work)).prizeId : work.objectId
    const events = await worker.deps.database.event.findMany({
      where: { objectType, objectId },
      orderBy: { sequence: 'asc' },
    })
    expect(events.map(({ sequence }) => sequence)).to.deep.equal(events.map((_, index) => index + 1))
    return events
  }
  const startOther: Crediting['startOther'] = (befalling) => {
    const { database, findSettings, sendRequest, partnerNames: names, pauseSetting, log } = worker.deps
    const other = createCreditCashback({
      database,
      clock,
      log,
      names,
      findWallets: createFindWallets({ findSettings, sendRequest, clock }),
      pauseWallet: (casinoId, setting, reason) => pauseSetting(casinoId, 'wallet', setting, reason),
      slots: unlimitedSlots,
      random: Math.random,
      onCall: () => undefined,
      onReview: () => undefined,
      ...befalling,
    })
    return { run: async (work) => (await other(work, newHolder())).result }
  }
  return {
    config,
    get database() {
      return worker.deps.database
    },
    clock,
    deps: () => worker.deps,
    wallet: () => wallet,
    setTime: (time) => {
      now = time
    },
    begin: async () => {
      now = start
      wallet = await startFakeWallet()
    },
    end: async () => {
      await wallet.stop()
      expect(wallet.complaints).to.deep.equal([])
      expect(Math.max(0, ...wallet.bookings.values())).to.be.at.most(1)
    },
    close: () => worker.close(),
    restart: async () => {
      await worker.close()
      worker = createWorkerDeps(config, { clock })
    },
    startOther,
    startWith: ({ url, secret }, timeoutMs = 20_000) => {
      const deps = { send: worker.deps.sendRequest, clock }
      const outside: CasinoWallet = {
        via: { kind: 'http', id: partnerIdOf(url), url, timeoutMs, isPaused: false, revision: 1 },
        wallet: createHttpWallet(deps, { casinoId: 'any', url, secrets: [secret], timeoutMs }),
      }
      const findWallets = (casinoIds: readonly string[]) =>
        Promise.resolve(new Map(casinoIds.map((casinoId) => [casinoId, { value: outside }])))
      return startOther({ findWallets, log: createLogger('test', 'silent') })
    },
    request,
    requestOne: async (timeoutMs) => {
      const [work] = (await request(1, timeoutMs)).works
      if (work === undefined) throw new Error('no work')
      return work
    },
    run: async (work) => (await worker.deps.processors['credit-cashback'](work, newHolder())).result,
    move: async (work, move) => {
      const caused: DueWork[] = []
      const handOver = (works: readonly DueWork[]) => void caused.push(...works)
      const { casinoId } = await read(work)
      const moveCashbacks = createMoveCashbacks({ database: worker.deps.database, clock, handOver })
      const by = { actor: 'test', reason: 'seen', requestId: 'test' }
      const [result] = await moveCashbacks([{ casinoId, cashbackId: work.objectId, move, ...by }])
      if (result === undefined) throw new Error('no result')
      if (!('error' in result)) return { said: result.value.state, caused }
      if (result.error instanceof RewardsError) return { said: result.error.code, caused }
      throw result.error
    },
    read,
    prizeOf: (async (work: DueWork) => {
      const { casinoId, prizeId: id } = await read(work)
      return worker.deps.database.prize.findUniqueOrThrow({ where: { casinoId_id: { casinoId, id } } })
    }) as Crediting['prizeOf'],
    outboxOf,
    restsMs: async (work) => {
      const row = await outboxOf(work)
      if (row === null || row.snoozedUntil === null) throw new Error('the work does not rest')
      expect(row.dueAt).to.deep.equal(row.snoozedUntil)
      return row.snoozedUntil.getTime() - now.getTime()
    },
    historyOf: historyOf as Crediting['historyOf'],
    typesOf: async (work, of) => (await historyOf(work, of)).map((event) => event.type.replace(/^\w+\./, '')),
    callsReach: (count) => eventually(`${count} calls`, () => wallet.calls.length >= count),
  }
}
