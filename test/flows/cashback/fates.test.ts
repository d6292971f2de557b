import { expect } from 'chai'
import fc from 'fast-check'
import { createMoveCashbacks } from '../../../core/cashback/move-cashbacks.ts'
import type { CashbackMove } from '../../../core/cashback/decide-resolution.ts'
import { cashbackTransitions } from '../../../core/cashback/state.ts'
import type { CashbackState } from '../../../core/cashback/state.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { canMove } from '../../../core/state-machine.ts'
import type { DueWork, JobName } from '../../../core/queue/jobs.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import type { WalletBehaviour } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'
import { runs } from '../../support/runs.ts'

/** An event in the life of one of the cashbacks. */
type Act =
  | { kind: 'work'; at: number; wallet: WalletBehaviour }
  /** Two workers get the job at the same time. */
  | { kind: 'race'; at: number; wallet: WalletBehaviour }
  /** A worker dies in the call, so that its outcome is unknown; then its lease runs out. */
  | { kind: 'die'; at: number; wallet: 'hang' | 'late' }
  | { kind: 'move'; at: number; move: CashbackMove }

const cashbackCount = 3
const at = fc.nat(cashbackCount - 1)
const wallet = fc.constantFrom<WalletBehaviour>(
  'honest',
  'act-then-die',
  'twice',
  'wrong-amount',
  { status: 500, body: '' },
  { status: 502, body: '<html>' },
  { status: 422, body: { status: 'declined', code: 'limit_exceeded' } },
)
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('work' as const), at, wallet }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('race' as const), at, wallet }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('die' as const), at, wallet: fc.constant('late' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      at,
      move: fc.constantFrom<CashbackMove>(
        { kind: 'retry' },
        { kind: 'release' },
        { kind: 'resolve', outcome: 'credited' },
        { kind: 'resolve', outcome: 'declined' },
        { kind: 'resolve', outcome: 'reversed' },
        { kind: 'reverse', prize: 'return', isMoneyBack: false },
        { kind: 'reverse', prize: 'void', isMoneyBack: false },
        { kind: 'reverse', prize: 'void', isMoneyBack: true },
      ),
    }),
  },
)
/** Sequences with every ending, which chance may miss: credited, declined, in manual review, and reversed. */
const endings: [Act[]][] = [
  [
    [
      { kind: 'work', at: 0, wallet: 'honest' },
      { kind: 'work', at: 1, wallet: { status: 422, body: { status: 'declined', code: 'limit_exceeded' } } },
      { kind: 'work', at: 2, wallet: 'wrong-amount' },
    ],
  ],
  [
    [
      { kind: 'work', at: 0, wallet: 'honest' },
      { kind: 'move', at: 0, move: { kind: 'reverse', prize: 'return', isMoneyBack: false } },
    ],
  ],
]

const expected: Record<CashbackState, { postings: string[]; prizes: string[]; works: number }> = {
  requested: { postings: ['reserve'], prizes: ['cashback_pending'], works: 1 },
  processing: { postings: ['reserve'], prizes: ['cashback_pending'], works: 1 },
  unknown: { postings: ['reserve'], prizes: ['cashback_pending'], works: 1 },
  manual_review: { postings: ['reserve'], prizes: ['cashback_pending'], works: 0 },
  credited: { postings: ['credit', 'reserve'], prizes: ['cashed_back'], works: 0 },
  declined: { postings: ['reserve', 'void'], prizes: ['won'], works: 0 },
  reversing: { postings: ['credit', 'reserve'], prizes: ['cashed_back'], works: 1 },
  reversal_unknown: { postings: ['credit', 'reserve'], prizes: ['cashed_back'], works: 1 },
  reversal_review: { postings: ['credit', 'reserve'], prizes: ['cashed_back'], works: 0 },
  reversed: { postings: ['credit', 'reserve', 'reversal'], prizes: ['won', 'voided'], works: 0 },
}

const settled = ['credited', 'declined', 'reversed', 'manual_review', 'reversal_review']

describe('cashbacks in any sequence of answers, crashes, races and transitions', function () {
  this.timeout(120_000)
  let crediting: Crediting
  let other: ReturnType<typeof createWorkerDeps>

  const atEnd = atEndOfSuite()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
    other = createWorkerDeps(crediting.config, { clock: crediting.clock })
    atEnd(() => other.close())
  })

  const worksOf = async ({ objectId }: DueWork): Promise<DueWork[]> =>
    (await crediting.database.outbox.findMany({ where: { objectId } })).map(({ id, jobName }) => ({
      jobName: jobName as JobName,
      outboxId: String(id),
      objectId,
    }))
  const perform = async (act: Act, work: DueWork, casinoId: string) => {
    const [due] = await worksOf(work)
    switch (act.kind) {
      case 'move': {
        const move = createMoveCashbacks({
          ...crediting.deps(),
          clock: crediting.clock,
          handOver: () => undefined,
        })
        const by = { actor: 'test', reason: 'chance', requestId: 'test' }
        const [result] = await move([{ casinoId, cashbackId: work.objectId, move: act.move, ...by }])
        if (result !== undefined && 'error' in result) {
          expect((result.error as { code?: string }).code).to.be.oneOf([
            'transition_illegal',
            'cashback_needs_resolution',
          ])
        }
        return
      }
      case 'work':
      case 'race':
        if (due === undefined) return
        crediting.wallet().behave(act.wallet)
        await Promise.all([
          crediting.run(due),
          ...(act.kind === 'race' ? [other.deps.processors['credit-cashback'](due, newHolder())] : []),
        ])
        return
      case 'die': {
        if (due === undefined) return
        const before = crediting.wallet().calls.length
        crediting.wallet().behave(act.wallet)
        const dying = crediting.run(due)
        const calls = await Promise.race([
          dying.then(() => 0),
          crediting.callsReach(before + 1).then(() => 1),
        ])
        const { attemptUntil } = await crediting.read(work)
        if (calls === 0 || attemptUntil === null) {
          await dying
          return
        }
        crediting.setTime(new Date(attemptUntil.getTime() + 1))
        crediting.wallet().behave('honest')
        await other.deps.processors['credit-cashback'](due, newHolder())
        crediting.wallet().answerLate() // to the dead worker, too late
        expect(await dying).to.equal('nothing_to_do')
      }
    }
  }

  const check = async (work: DueWork) => {
    const { state, revision } = await crediting.read(work)
    const { postings, prizes, works } = expected[state as CashbackState]
    expect(await postingsOf(crediting.database, work.objectId), state).to.deep.equal(postings)
    expect(prizes).to.include((await crediting.prizeOf(work)).state)
    // A worker removes due work about a cashback that an operator has settled.
    if (works === 0)
      for (const due of await worksOf(work)) expect(await crediting.run(due)).to.equal('nothing_to_do')
    expect(await worksOf(work), state).to.have.length(works)
    const history = await crediting.historyOf(work)
    expect(history).to.have.length(revision)
    for (const [index, { fromState, toState }] of history.entries()) {
      expect(fromState).to.equal(history[index - 1]?.toState ?? null)
      if (fromState === null || fromState === toState) continue
      expect(canMove(cashbackTransitions, fromState as CashbackState, toState as CashbackState)).to.equal(
        true,
      )
    }
    expect(history.at(-1)?.toState).to.equal(state)
  }

  it('each end in one state with the postings of that state, and the ledger always sums to zero', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 4, maxLength: 24 }), async (acts) => {
        await crediting.begin()
        try {
          const { casinoId, works } = await crediting.request(cashbackCount)
          for (const act of acts) {
            const work = works[act.at]
            if (work === undefined) throw new Error('no work')
            await perform(act, work, casinoId)
            await check(work)
          }
          // With an honest wallet, each cashback ends settled or in review.
          crediting.wallet().behave('honest')
          for (const work of works) {
            for (const due of await worksOf(work)) await crediting.run(due)
            await check(work)
            const { state } = await crediting.read(work)
            seen.add(state)
            expect(state).to.be.oneOf(settled)
          }
          const balances = Object.values(await balancesOf(crediting.database, casinoId))
          expect(balances.reduce((sum, amount) => sum + amount, 0)).to.equal(0)
        } finally {
          await crediting.end()
        }
      }),
      { numRuns: runs(15, 6), endOnFailure: true, examples: endings },
    )
    expect(seen).to.include.members(['credited', 'declined', 'reversed', 'manual_review'])
  })
})
