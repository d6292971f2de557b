import { createBatcher } from '../batch/batcher.ts'
import { lineOf } from '../partner/call-slots.ts'
import type { CallSlots, Holder } from '../partner/call-slots.ts'
import type { PartnerNames } from '../partner/names.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import { monotonicMs } from '../platform/clock.ts'
import { partnerIdOf } from '../partner/partner-id.ts'
import type { Logger } from '../platform/logger.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { createBeginCredits } from './begin-credits.ts'
import type { BeginCreditRequest, BegunCredit, BeginCreditsDeps } from './begin-credits.ts'
import { attemptsOf, transactionIdOf } from './cashback.ts'
import type { CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import type { AttemptOutcome } from './decide-credit.ts'
import { createFinishCredits } from './finish-credits.ts'
import type { WalletAnswer, WalletCall } from './wallet-answer.ts'

export interface CreditCashbackDeps extends BeginCreditsDeps {
  slots: CallSlots
  names: PartnerNames
  log: Logger
  /** Keeps anything from being sent to this configuration of the casino's wallet until somebody has looked. */
  pauseWallet: (casinoId: string, wallet: { revision: number }, reason: string) => Promise<unknown>
  /** Told how each call of a wallet ended. */
  onCall: (outcome: WalletOutcome['kind'], seconds: number) => void
  /** Told of each cashback that people must look at, and why. */
  onReview: (problem: string) => void
}

export interface CreditCashback {
  run(job: JobPayload, holder: Holder): Promise<JobReport>
}

/**
 * A queue hands jobs out one by one as others end, so with the usual size batches stay small just when much is waiting.
 * Where little is waiting, no batch is in flight and nobody waits.
 */
const worthwhileSize = 48

/**
 * Credits one cashback, or has its credit taken back: which of the two, the work in the outbox says. The attempt is committed before the call and the result after it, both in batches; the call itself
 * is outside of any batch and any transaction, so that a slow wallet makes nobody wait but its own players. Whoever dies
 * in between leaves a lease that runs out; the next attempt carries the same transaction id.
 */
export function createCreditCashback(deps: CreditCashbackDeps): CreditCashback {
  const exclusiveKeyOf = (job: JobPayload) => job.objectId
  const { findWallets, noteRefusal } = withoutRefusedWallets(deps.findWallets)
  const process = createBeginCredits({ ...deps, findWallets })
  const begin = createBatcher({
    process,
    exclusiveKeyOf: (request: BeginCreditRequest) => exclusiveKeyOf(request.job),
    worthwhileSize,
  })
  const finish = createBatcher({
    process: createFinishCredits(deps),
    exclusiveKeyOf: ({ job }) => exclusiveKeyOf(job),
  })
  return {
    run: async (job, holder) => {
      try {
        let begun = await begin.run({ job, holder, mayLookUp: true })
        if (begun.kind === 'look_up') {
          await lookUpWallet(deps, begun)
          begun = await begin.run({ job, holder, mayLookUp: false })
        }
        if (begun.kind === 'look_up') throw new Error('told to look a name up without the leave to')
        if (begun.kind === 'ended') {
          if (begun.forReview !== undefined) reportReview(deps, begun.forReview)
          if (begun.line !== undefined) deps.slots.noteWaiting(begun.line)
          return begun
        }
        const call = toCall(begun)
        const outcome = isStillLeased(deps, begun)
          ? await callWallet(deps, begun, call)
          : giveBack(deps, begun, call)
        if (outcome.kind === 'misconfigured') noteRefusal(begun)
        // Whoever is next may call while the result is written down.
        deps.slots.release(holder)
        const { casinoId, id } = begun.cashback
        const isFirstToAsk = begun.isFirstToAsk
        const finished = await finish.run({ job, casinoId, call, isFirstToAsk, outcome })
        if (finished.answer?.contradicts === true) reportContradiction(deps, casinoId, id, finished.answer)
        const { result, cashback } = finished
        if (cashback?.state === courseOf(begun.cashback.state).review) reportReview(deps, cashback)
        return { result, outcome: describeOutcome(cashback?.state ?? result, cashback?.problem) }
      } finally {
        deps.slots.release(holder)
      }
    },
  }
}

type Attempt = BegunCredit & { kind: 'attempt' }

/** Before the attempt is written down: a wallet whose name leads nowhere has not been asked anything. */
async function lookUpWallet(
  { names, log }: CreditCashbackDeps,
  { casinoId, url }: BegunCredit & { kind: 'look_up' },
): Promise<void> {
  await names.lookUp(casinoId, url)
  if (names.known(casinoId, url) === 'found') return
  log.warn({ casinoId, wallet: partnerIdOf(url) }, 'the name of a wallet leads nowhere; nothing was sent')
}

function toCall({ cashback, via }: Attempt): WalletCall {
  const { operation } = courseOf(cashback.state)
  const transactionId = transactionIdOf(cashback, operation)
  return { operation, transactionId, wallet: via.id, attempt: attemptsOf(cashback, operation) }
}

/**
 * Settings are as they were a moment ago, so a pause is heard of late; meanwhile each waiting cashback would be refused in
 * its turn. What this process has paused itself it knows at once. Saving or resuming makes another revision of it.
 */
function withoutRefusedWallets(findWallets: BeginCreditsDeps['findWallets']): {
  findWallets: BeginCreditsDeps['findWallets']
  noteRefusal: (attempt: Attempt) => void
} {
  const refusedRevisions = new Map<string, number>()
  return {
    findWallets: async (casinoIds) => {
      const wallets = await findWallets(casinoIds)
      if (refusedRevisions.size === 0) return wallets
      return new Map(
        [...wallets].map(([casinoId, getWallet]) => [
          casinoId,
          () => {
            const wallet = getWallet()
            const isRefused = wallet.kind === 'http' && wallet.revision === refusedRevisions.get(casinoId)
            return isRefused ? { ...wallet, isPaused: true } : wallet
          },
        ]),
      )
    },
    noteRefusal: ({ cashback: { casinoId }, via: { revision } }) => {
      refusedRevisions.set(casinoId, revision)
    },
  }
}

/**
 * Looked at right before the call: between the commit of the attempt and this moment the process may have been stopped
 * for any time. Who calls when the lease could run out meanwhile would call beside the next attempt.
 */
function isStillLeased({ clock }: CreditCashbackDeps, { cashback, via }: Attempt): boolean {
  return (
    cashback.attemptUntil !== null && clock.now().getTime() + via.timeoutMs <= cashback.attemptUntil.getTime()
  )
}

function giveBack(
  { log }: CreditCashbackDeps,
  { cashback: { casinoId, id: cashbackId } }: Attempt,
  { operation, attempt }: WalletCall,
): AttemptOutcome {
  log.warn(
    { casinoId, cashbackId, operation, attempt },
    'too late to call a wallet: this process is far behind',
  )
  return { kind: 'not_made' }
}

async function callWallet(
  { slots, log, pauseWallet, onCall }: CreditCashbackDeps,
  { cashback, via }: Attempt,
  { operation, transactionId, attempt }: WalletCall,
): Promise<WalletOutcome> {
  const { casinoId, id } = cashback
  const startedMs = monotonicMs()
  const outcome = await via.wallet.ask({
    operation,
    transactionId,
    cashbackId: id,
    prizeId: cashback.prizeId,
    playerId: cashback.playerId,
    amountMinor: cashback.amountMinor,
    currency: cashback.currency,
    attempt,
  })
  onCall(outcome.kind, (monotonicMs() - startedMs) / 1000)
  const hasSucceeded = outcome.kind !== 'unknown'
  slots.observe(lineOf('wallet', casinoId), { hasSucceeded, hasAnswered: hasSucceeded, startedMs })
  if (outcome.kind === 'misconfigured') {
    // Before the result, so that whoever dies in between leaves nothing that calls again. It says so itself.
    await pauseWallet(casinoId, via, outcome.problem)
  } else if (outcome.kind === 'unknown') {
    const details = { casinoId, cashbackId: id, operation, attempt, problem: outcome.problem }
    log.warn(details, 'a wallet gave no clear answer')
  }
  return outcome
}

/** The state was decided without this answer, by a person or after another wallet's: see docs/operations.md. */
function reportContradiction(
  { log }: CreditCashbackDeps,
  casinoId: string,
  cashbackId: string,
  { operation, attempt, outcome }: WalletAnswer,
): void {
  const details = { casinoId, cashbackId, operation, attempt, outcome }
  log.error(details, 'a wallet contradicts what is on record of a cashback')
}

/** A wallet that has moved another amount than it was asked for is worse than one that does not answer. */
function reportReview({ log, onReview }: CreditCashbackDeps, cashback: CashbackSnapshot): void {
  const { casinoId, id: cashbackId, state } = cashback
  const { operation } = courseOf(state)
  const problem = cashback.problem ?? 'unknown'
  onReview(problem)
  const details = { casinoId, cashbackId, operation, attempts: attemptsOf(cashback, operation), problem }
  if (problem === 'amount_mismatch')
    log.error(details, `a wallet has ${operation}ed another amount than it was asked for`)
  else log.warn(details, 'a cashback waits for a person')
}
