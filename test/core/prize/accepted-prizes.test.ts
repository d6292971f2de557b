import { expect } from 'chai'
import pg from 'pg'
import type { Settled } from '../../../core/batch/batcher.ts'
import type { PutOff } from '../../../core/batch/lane-batcher.ts'
import { decideCashback } from '../../../core/cashback/decide-cashback.ts'
import { createRequestCashbacks } from '../../../core/cashback/request-cashbacks.ts'
import { RewardsError } from '../../../core/errors.ts'
import type { Answer, KeyClaim } from '../../../core/idempotency/idempotency.ts'
import { decideOrder } from '../../../core/prize-order/decide-order.ts'
import { createPlaceOrders } from '../../../core/prize-order/place-orders.ts'
import type { TakePrizesDeps } from '../../../core/prize/take-prizes.ts'
import type { PrizeSnapshot } from '../../../core/prize/prize.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import type { PrizeState } from '../../../core/prize/state.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

const now = new Date('2026-03-04T12:00:00.000Z')
const clock = { now: () => now }
const justAfter = new Date(now.getTime() + 1)

const everyPrize: readonly PrizeSnapshot[] = (Object.keys(prizeTransitions) as PrizeState[]).flatMap(
  (state) =>
    [null, now, justAfter].flatMap((expiresAt) =>
      ['physical', 'bonus'].flatMap((kind) =>
        [null, 9_007_199_254_740_993n].map((cashbackAmountMinor) => {
          const cashbackCurrency = cashbackAmountMinor === null ? null : 'EUR'
          return { playerId: 'owner', kind, state, cashbackAmountMinor, cashbackCurrency, expiresAt }
        }),
      ),
    ),
)

type Outcome = Settled<Answer> | PutOff
const codeOf = (error: unknown) => (error instanceof RewardsError ? error.code : String(error))
const brief = (outcome: Outcome | undefined) => {
  if (typeof outcome !== 'object') return outcome
  if ('error' in outcome) return codeOf(outcome.error)
  return outcome.value.replayed ? 'replayed' : 'taken'
}
const decided = (decide: () => void) => {
  try {
    decide()
  } catch (error) {
    return codeOf(error)
  }
  return 'taken'
}

for (const operation of ['prize_order', 'prize_cashback'] as const) {
  describe(`prizes taken by a shared batch of ${operation}`, () => {
    const [decide, state] =
      operation === 'prize_order'
        ? ([decideOrder, 'ordered'] as const)
        : ([decideCashback, 'cashback_pending'] as const)
    let service: TestService
    let casinoId: string

    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService()
      atEnd(() => service.stop())
      casinoId = (await service.factory.casino()).id
    })

    const insert = (prefix: string, prizes: readonly PrizeSnapshot[]) =>
      service.database.prize.createMany({
        data: prizes.map((prize, index) => {
          const item = { itemId: 'mug', itemName: 'Mug', createdAt: now, updatedAt: now }
          return { casinoId, id: `${prefix}_${index}`, ...item, ...prize }
        }),
      })
    /** Different for each prize, and not to be held by a JavaScript number. */
    const promisedTo = (index: number) => 9_007_199_254_740_993n + BigInt(index)
    const plain = (prefix: string, count: number) => {
      const prize = { playerId: 'owner', kind: 'physical', state: 'won', expiresAt: null } as const
      return insert(
        prefix,
        Array.from({ length: count }, (_, index) => {
          return { ...prize, cashbackAmountMinor: promisedTo(index), cashbackCurrency: 'EUR' }
        }),
      )
    }
    const requestOf = (prizeId: string, playerId = 'owner', claim?: KeyClaim) => {
      return { casinoId, playerId, prizeId, claim, actor: 'test', requestId: 'test', delivery }
    }
    const processes = ({ database = service.database, handOver }: Partial<TakePrizesDeps> = {}) => {
      const deps = { database, clock, handOver: handOver ?? (() => undefined), response: '{}' }
      const { cipher } = service.deps
      return operation === 'prize_order'
        ? createPlaceOrders({ ...deps, cipher })
        : createRequestCashbacks(deps)
    }
    /** Runs `work` while another session is in a transaction; `change` changes a prize in it. */
    const beside = async (
      work: (holder: {
        query: (text: string) => Promise<unknown>
        change: (prizeId: string, columns: string) => Promise<unknown>
      }) => Promise<void>,
    ) => {
      const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
      await client.connect()
      try {
        await client.query('BEGIN')
        await work({
          query: (text) => client.query(text),
          change: (prizeId, columns) =>
            client.query(`UPDATE prize SET ${columns} WHERE casino_id = $1 AND id = $2`, [casinoId, prizeId]),
        })
      } finally {
        await client.end()
      }
    }
    /** A shared batch of these requests: the outcomes, the statements, and the works that were handed over. */
    const run = async (requests: readonly ReturnType<typeof requestOf>[]) => {
      let statements = 0
      const works: DueWork[] = []
      const database = watchDatabase(service.database, { before: () => statements++ })
      const handOver = (caused: readonly DueWork[]) => void works.push(...caused)
      const outcomes = (await processes({ database, handOver }).processShared(requests)).map(brief)
      return { outcomes, statements, works }
    }
    const read = (id: string) =>
      service.database.prize.findUniqueOrThrow({ where: { casinoId_id: { casinoId, id } } })

    it('are those that the decision allows, in every case, by one statement', async () => {
      await insert('any', everyPrize)
      const others = await run(everyPrize.map((_, index) => requestOf(`any_${index}`, 'another')))
      expect(others).to.deep.equal({
        outcomes: everyPrize.map(() => 'prize_not_owned'),
        statements: 1,
        works: [],
      })
      const { outcomes, statements, works } = await run(
        everyPrize.map((_, index) => requestOf(`any_${index}`)),
      )
      expect(outcomes).to.deep.equal(
        everyPrize.map((prize) =>
          decided(() => {
            decide('owner', prize, now)
          }),
        ),
      )
      expect(statements).to.equal(1)
      for (const [index, outcome] of outcomes.entries()) {
        const prize = await read(`any_${index}`)
        const before = everyPrize[index]?.state
        if (outcome === 'taken') expect(prize).to.include({ state, revision: 2 })
        else expect(prize).to.include({ state: before, revision: 1 })
      }
      expect(outcomes.filter((outcome) => outcome === 'taken'))
        .to.have.length(works.length)
        .above(0)
    })

    it('have the work of their own order or cashback, with the amount that the prize promises', async () => {
      await plain('own', 3)
      const { works } = await run([requestOf('own_0'), requestOf('own_1', 'another'), requestOf('own_2')])
      expect(works).to.have.length(2)
      for (const [number, work] of works.entries()) {
        expect(work.casinoId).to.equal(casinoId)
        const prizeId = ['own_0', 'own_2'][number]
        if (operation === 'prize_order') {
          const order = await service.database.prizeOrder.findUniqueOrThrow({ where: { id: work.objectId } })
          expect(order).to.include({ casinoId, prizeId, playerId: 'owner' })
        } else {
          const cashback = await service.database.cashback.findUniqueOrThrow({ where: { id: work.objectId } })
          expect(cashback).to.include({ casinoId, prizeId, playerId: 'owner', currency: 'EUR' })
          const amount = promisedTo(2 * number)
          expect(String(cashback.amountMinor)).to.equal(String(amount))
          const entries = await service.database.ledgerEntry.findMany({
            where: { transactionId: `rsv_${work.objectId}` },
            orderBy: { position: 'asc' },
          })
          expect(entries.map((entry) => `${entry.account} ${entry.amountMinor}`)).to.deep.equal([
            `casino_cashback ${-amount}`,
            `player_pending ${amount}`,
          ])
        }
      }
    })

    it('are not taken twice under a key, whose answer is given again to the same request only', async () => {
      await plain('key', 3)
      const claim = { key: 'one', fingerprint: new Uint8Array(32).fill(1) }
      const other = { key: 'one', fingerprint: new Uint8Array(32).fill(2) }
      const first = await run([requestOf('key_0', 'owner', claim), requestOf('key_1', 'owner', other)])
      expect(first.outcomes).to.deep.equal(['taken', 'set_aside'])
      const again = await run([
        requestOf('key_0', 'owner', claim),
        requestOf('key_1', 'owner', other),
        requestOf('key_2'),
      ])
      expect(again.outcomes).to.deep.equal(['replayed', 'idempotency_key_reused', 'taken'])
      expect(again.statements).to.equal(1)
      expect(await read('key_1')).to.include({ state: 'won', revision: 1 })
    })

    it('are set aside where they are locked, or may be in the archive', async () => {
      await plain('locked', 2)
      await beside(async ({ change }) => {
        await change('locked_0', 'updated_at = now()')
        const requests = [requestOf('locked_0'), requestOf('locked_1'), requestOf('nowhere')]
        const { outcomes, statements } = await run(requests)
        expect(outcomes).to.deep.equal(['set_aside', 'taken', 'set_aside'])
        expect(statements).to.equal(1)
      })
    })

    it('are taken, or refused, as another statement has left them while it was waited for', async () => {
      const refused = operation === 'prize_order' ? 'prize_not_orderable' : 'prize_not_cashable'
      const changes = [
        ["revision = revision + 1, expires_at = '2026-03-05T00:00:00Z'", 'taken'],
        [`state = '${state}', revision = revision + 1`, refused],
        ["player_id = 'another'", 'prize_not_owned'],
        ["expires_at = '2026-03-04T12:00:00Z'", refused],
      ] as const
      await plain('waited', changes.length)
      await beside(async ({ query, change }) => {
        for (const [index, [columns]] of changes.entries()) await change(`waited_${index}`, columns)
        const waiting = processes().processWaiting(changes.map((_, index) => requestOf(`waited_${index}`)))
        await eventually('the statement waits', async () => (await countLockWaits(service.database)) > 0)
        await query('COMMIT')
        expect((await waiting).map(brief)).to.deep.equal(changes.map(([, outcome]) => outcome))
      })
      expect(await read('waited_0')).to.include({ state, revision: 3 })
      const events = await service.database.event.findMany({ where: { casinoId, objectId: 'waited_0' } })
      expect(events.map(({ sequence, type }) => `${sequence} ${type}`)).to.deep.equal([`3 prize.${state}`])
    })

    it('keep no refusal and no known answer waiting for a key that is locked', async () => {
      await plain('held', 3)
      const claimOf = (key: string) => ({ key, fingerprint: new Uint8Array(32).fill(1) })
      expect((await run([requestOf('held_0', 'owner', claimOf('known'))])).outcomes).to.deep.equal(['taken'])
      await beside(async ({ query }) => {
        await query(`INSERT INTO idempotency_record (casino_id, key, operation, fingerprint, response)
                     VALUES ('${casinoId}', 'held', '${operation}', decode(repeat('00', 32), 'hex'), '{}')`)
        const { outcomes } = await run([
          requestOf('held_1', 'owner', claimOf('held')),
          requestOf('held_0', 'owner', claimOf('known')),
          requestOf('held_2', 'another'),
          requestOf('held_2'),
        ])
        expect(outcomes).to.deep.equal(['held_up', 'replayed', 'prize_not_owned', 'held_up'])
      })
    })
  })
}
