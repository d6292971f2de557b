import { expect } from 'chai'
import fc from 'fast-check'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { partnerIdOf } from '../../../core/partner/partner-id.ts'
import type { DueWork, JobName } from '../../../core/queue/jobs.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet, WalletBehaviour } from '../../support/fake-wallet.ts'
import { isLongForm, runs } from '../../support/runs.ts'

const minuteMs = 60_000
const otherAmount = { status: 200, body: { status: 'credited', amount_minor: 501, currency: 'EUR' } }

type Which = 0 | 1
/** An event in the life of a cashback whose casino changes from one wallet to another, and perhaps back. */
type Act =
  /** The due work is done, after the last call is over. */
  | { kind: 'work'; wallet: Which; behaviour: WalletBehaviour }
  /** A worker is frozen in its call, which the wallet has received. */
  | { kind: 'freeze'; wallet: Which; behaviour: 'late' | 'late-death' | 'late-decline' }
  /** The worker that was frozen first continues: it gets the wallet's answer. */
  | { kind: 'thaw'; wallet: Which }
  | { kind: 'pass' }
  | { kind: 'move'; move: CashbackMove }

const wallet = fc.constantFrom<Which>(0, 1)
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      wallet,
      behaviour: fc.constantFrom<WalletBehaviour>(
        'honest',
        'act-then-die',
        'wrong-amount',
        'decline',
        { status: 503, body: '' },
        otherAmount,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      wallet,
      behaviour: fc.constantFrom('late', 'late', 'late-death', 'late-decline'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('thaw' as const), wallet }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pass' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      move: fc.constantFrom<CashbackMove>(
        { kind: 'retry' },
        { kind: 'release' },
        { kind: 'release' },
        ...(['credited', 'declined', 'reversed'] as const).map(
          (outcome) => ({ kind: 'resolve', outcome }) as const,
        ),
        ...([true, false] as const).map(
          (isMoneyBack) => ({ kind: 'reverse', prize: 'return', isMoneyBack }) as const,
        ),
      ),
    }),
  },
)
const reverse: Act = { kind: 'move', move: { kind: 'reverse', prize: 'return', isMoneyBack: false } }
const unknown: WalletBehaviour = { status: 503, body: '' }
const declined: WalletBehaviour = { status: 422, body: { status: 'declined', code: 'player_blocked' } }
/** One call has been given up, and another is in progress; few random sequences reach this state. */
const beginnings: readonly (readonly Act[])[] = [
  [],
  [
    { kind: 'freeze', wallet: 0, behaviour: 'late' },
    { kind: 'work', wallet: 0, behaviour: unknown },
    { kind: 'move', move: { kind: 'release' } },
    { kind: 'freeze', wallet: 1, behaviour: 'late-death' },
  ],
  [
    { kind: 'work', wallet: 0, behaviour: 'honest' },
    reverse,
    { kind: 'freeze', wallet: 0, behaviour: 'late' },
    { kind: 'work', wallet: 0, behaviour: declined },
    { kind: 'work', wallet: 0, behaviour: declined },
    reverse,
    { kind: 'freeze', wallet: 0, behaviour: 'late-death' },
  ],
]

describe('a cashback that two wallets were asked about', function () {
  this.timeout(120_000)
  let crediting: Crediting
  let nextWallet: FakeWallet

  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })
  const begin = async () => {
    await crediting.begin()
    nextWallet = await startFakeWallet()
  }
  const end = async () => {
    await nextWallet.stop()
    await crediting.end()
    expect(nextWallet.complaints).to.deep.equal([])
  }
  const passTime = (byMs: number) => {
    crediting.setTime(new Date(crediting.clock.now().getTime() + byMs))
  }
  const worksOf = async ({ objectId }: DueWork): Promise<DueWork[]> =>
    (await crediting.database.outbox.findMany({ where: { objectId } })).map(({ id, jobName }) => ({
      jobName: jobName as JobName,
      outboxId: String(id),
      objectId,
    }))
  const runWith = async (wallet: FakeWallet, work: DueWork) => {
    const results = []
    for (const due of await worksOf(work)) results.push(await crediting.startWith(wallet).run(due))
    return results
  }
  /** A worker in its call, and how that ends; undefined if it does not call. */
  const freeze = async (wallet: FakeWallet, work: DueWork, behaviour: WalletBehaviour = 'late') => {
    const [due] = await worksOf(work)
    if (due === undefined) return undefined
    wallet.behave(behaviour)
    const before = wallet.calls.length
    let isOver = false
    const running = crediting
      .startWith(wallet)
      .run(due)
      .finally(() => (isOver = true))
    await eventually('the call, or the end without one', () => isOver || wallet.calls.length > before)
    return wallet.calls.length > before ? { running } : undefined
  }

  describe('when the first reports that it has paid', () => {
    beforeEach(async () => {
      await begin()
      atTestEnd(end)
    })

    /** The first wallet's call is frozen, an operator says that it has not paid, and the second one is in its call. */
    const askBoth = async (second: WalletBehaviour) => {
      const work = await crediting.requestOne()
      const first = await freeze(crediting.wallet(), work)
      passTime(minuteMs)
      expect(await runWith(crediting.wallet(), work)).to.deep.equal(['snoozed'])
      expect((await crediting.move(work, { kind: 'release' })).said).to.equal('unknown')
      const live = await freeze(nextWallet, work, second)
      expect(live).not.to.equal(undefined)
      crediting.wallet().answerLate()
      expect(await first?.running).to.equal('nothing_to_do')
      expect(await crediting.read(work)).to.include({ state: 'processing' })
      return { work, live: live?.running }
    }
    const expectNobodyIsAsked = async (work: DueWork, problem: string, says: FakeWallet) => {
      expect(await crediting.read(work)).to.include({ state: 'manual_review', problem })
      const calls = nextWallet.calls.length
      for (const kind of ['retry', 'release'] as const)
        expect((await crediting.move(work, { kind })).said).to.equal('cashback_needs_resolution')
      passTime(60 * minuteMs)
      nextWallet.behave('honest')
      expect(await runWith(nextWallet, work)).to.deep.equal([])
      expect(nextWallet.calls).to.have.length(calls)
      expect(says.bookings.get(work.objectId)).to.equal(1)
      expect((await crediting.move(work, { kind: 'resolve', outcome: 'credited' })).said).to.equal('credited')
    }

    it('is not asked of the second wallet again, although its call had no clear answer', async () => {
      const { work, live } = await askBoth('late-death')
      nextWallet.answerLate()
      expect(await live).to.equal('done')
      await expectNobodyIsAsked(work, 'wallet_contradicted', crediting.wallet())
    })

    it('is not asked of the second wallet again, although the end of its call is unknown', async () => {
      const { work, live } = await askBoth('late-death')
      passTime(minuteMs)
      expect(await runWith(nextWallet, work)).to.deep.equal(['done'])
      nextWallet.answerLate()
      expect(await live).to.equal('nothing_to_do')
      await expectNobodyIsAsked(work, 'wallet_contradicted', crediting.wallet())
    })

    it('stays credited although the second wallet declines', async () => {
      const { work, live } = await askBoth('late-decline')
      nextWallet.answerLate()
      expect(await live).to.equal('done')
      expect((await crediting.prizeOf(work)).state).to.equal('cashback_pending')
      await expectNobodyIsAsked(work, 'wallet_contradicted', crediting.wallet())
    })

    it('is not requested from the second wallet while it is unknown which wallet has answered', async () => {
      const work = await crediting.requestOne()
      crediting.wallet().behave('act-then-die')
      await runWith(crediting.wallet(), work)
      expect(await crediting.read(work)).to.include({ state: 'unknown' })
      const { casinoId } = await crediting.read(work)
      await crediting.database.walletAnswer.create({
        data: {
          casinoId,
          cashbackId: work.objectId,
          operation: 'credit',
          transactionId: work.objectId,
          wallet: 'unknown',
          attempt: 1,
          outcome: 'credited',
          receivedAt: crediting.clock.now(),
        },
      })
      expect((await crediting.move(work, { kind: 'retry' })).said).to.equal('cashback_needs_resolution')
      const calls = crediting.wallet().calls.length
      expect(await runWith(crediting.wallet(), work)).to.deep.equal(['done'])
      expect(crediting.wallet().calls).to.have.length(calls)
      await expectNobodyIsAsked(work, 'wallet_contradicted', crediting.wallet())
    })
  })

  describe('in any sequence of answers', () => {
    it('is requested from no other wallet once one reports that it has paid, and not taken back twice', async () => {
      const seen = new Set<string>()
      const asProperty = fc.asyncProperty(
        fc.constantFrom(...beginnings),
        fc.array(anyAct, { minLength: 4, maxLength: 16 }),
        async (beginning, acts) => {
          await begin()
          try {
            const work = await crediting.requestOne()
            const wallets = [crediting.wallet(), nextWallet] as const
            const frozen: [Promise<unknown>[], Promise<unknown>[]] = [[], []]
            const asked = createAsked(wallets)
            const thaw = async (which: Which) => {
              wallets[which].answerLate(1)
              await frozen[which].shift()
            }
            const perform = async (act: Act) => {
              switch (act.kind) {
                case 'work':
                  passTime(minuteMs)
                  wallets[act.wallet].behave(act.behaviour)
                  await runWith(wallets[act.wallet], work)
                  return
                case 'freeze': {
                  const begun = await freeze(wallets[act.wallet], work, act.behaviour)
                  if (begun !== undefined) frozen[act.wallet].push(begun.running)
                  return
                }
                case 'thaw':
                  return thaw(act.wallet)
                case 'pass':
                  passTime(minuteMs)
                  return
                case 'move': {
                  const { said } = await crediting.move(work, act.move)
                  seen.add(said)
                }
              }
            }
            const check = async () => {
              asked.check(
                await crediting.database.walletAnswer.findMany({ where: { cashbackId: work.objectId } }),
              )
            }
            for (const act of [...beginning, ...acts]) {
              await perform(act)
              await check()
            }
            for (const which of [0, 1, 0, 1] as const) {
              await thaw(which)
              await perform({ kind: 'work', wallet: which, behaviour: 'honest' })
              await check()
            }
            seen.add((await crediting.read(work)).state)
          } finally {
            await end()
          }
        },
      )
      await fc.assert(asProperty, { numRuns: runs(20, 8), endOnFailure: true })
      // A few random sequences need not reach all of them.
      if (!isLongForm) return
      expect(seen).to.include.members([
        'credited',
        'declined',
        'reversed',
        'manual_review',
        'reversal_review',
      ])
      expect(seen).to.include('cashback_needs_resolution')
    })
  })
})

interface Said {
  id: bigint
  operation: string
  transactionId: string
  wallet: string
  outcome: string
  amountMinor: bigint | null
}

/** Checks that once a wallet has said that it is done, no other wallet or transaction id is used for it. */
function createAsked(wallets: readonly FakeWallet[]): { check: (answers: readonly Said[]) => void } {
  const callsBesides = ({ operation, transactionId, wallet, amountMinor }: Said) =>
    wallets.flatMap(({ url, calls }) =>
      calls.filter(
        (call) =>
          call.type === `cashback.${operation}` &&
          (partnerIdOf(url) !== wallet ||
            call.transactionId !== transactionId ||
            (amountMinor !== null && amountMinor !== 500n)),
      ),
    ).length
  const callsAtAnswer = new Map<bigint, number>()
  return {
    check: (answers) => {
      for (const answer of answers) {
        if (answer.outcome === 'declined') continue
        const before = callsAtAnswer.get(answer.id)
        if (before === undefined) callsAtAnswer.set(answer.id, callsBesides(answer))
        else expect(callsBesides(answer), `${answer.operation} after ${answer.outcome}`).to.equal(before)
      }
    },
  }
}
