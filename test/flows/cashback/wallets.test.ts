import { expect } from 'chai'
import { at, createOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { FakeWallet } from '../../support/fake-wallet.ts'
import { balancesOf, postingsOf } from '../../support/ledger.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { wakeSnoozed } from '../../support/work.ts'
import { casesOf, itInLongForm } from '../../support/runs.ts'

for (const backend of queuesOfProcesses) {
  describe(`wallets of casinos, queues on ${backend}`, () => {
    let service: TestService
    let wallet: FakeWallet
    let casino: TestCasino

    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
      service.startWorker()
    })
    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      wallet = await startFakeWallet()
      atTestEnd(async () => {
        await wallet.stop()
        expect(wallet.complaints).to.deep.equal([])
        expect(Math.max(0, ...wallet.bookings.values())).to.be.at.most(1)
      })
      casino = await service.factory.casino()
      await useWallet(service.database, service.deps.config, casino.id, wallet, 1_000)
    })

    const cashBack = async ({ id, apiKey }: TestCasino, count: number): Promise<void> => {
      const prizes = await Promise.all(Array.from({ length: count }, () => service.factory.prize(id)))
      for (const { prizeId, playerId } of prizes) {
        const body = { player_id: playerId, prize_id: prizeId }
        expect((await service.client.post('/prize/cashback', apiKey, body)).status).to.equal(200)
      }
    }
    const countIn = (casinoId: string, state: string) =>
      service.database.cashback.count({ where: { casinoId, state } })

    it('credit a cashback, which the service’s ledger records as well', async () => {
      await cashBack(casino, 20)
      await eventually('all are credited', async () => {
        await wakeSnoozed(service.database)
        return (await countIn(casino.id, 'credited')) === 20
      })
      expect(wallet.bookings.size).to.equal(20)
      expect(await balancesOf(service.database, casino.id)).to.deep.equal({
        casino_cashback: -10_000,
        player_wallet: 10_000,
      })
      await service.drain()
    })

    it('credit each cashback once, with any failures, as long as the wallet recovers in the end', async () => {
      const failures = ['act-then-die', 'hang', 'act-then-hang', 'twice'] as const
      const refusals = [500, 429, 302].map((status) => ({ status, body: '' }))
      wallet.behave(...failures, ...refusals, ...failures, 'honest')
      await cashBack(casino, 6)
      await eventually('all are credited', async () => {
        await wakeSnoozed(service.database)
        return (await countIn(casino.id, 'credited')) === 6
      })
      expect([...wallet.bookings.values()]).to.deep.equal([1, 1, 1, 1, 1, 1])
      expect(await balancesOf(service.database, casino.id)).to.deep.equal({
        casino_cashback: -3_000,
        player_wallet: 3_000,
      })
      await service.drain()
    })

    itInLongForm(
      'take each credit back once, with any failures, as long as the wallet recovers in the end',
      async () => {
        await cashBack(casino, 6)
        await eventually('all are credited', async () => (await countIn(casino.id, 'credited')) === 6)
        const failures = ['act-then-die', 'hang', 'act-then-hang', 'twice'] as const
        wallet.behave(...failures, { status: 503, body: '' }, ...failures, 'honest')
        const operator = createOperator(service.client, casino.apiKey)
        const cashbacks = await service.database.cashback.findMany({ where: { casinoId: casino.id } })
        for (const { id } of cashbacks) {
          const path = `/${casino.id}/cashbacks/${id}/reverse`
          expect((await operator.post(path, { prize: 'void', reason: 'fraud' })).status).to.equal(200)
        }
        await eventually('all are reversed', async () => {
          await wakeSnoozed(service.database)
          return (await countIn(casino.id, 'reversed')) === 6
        })
        for (const { id } of cashbacks) {
          expect([wallet.bookings.get(id), wallet.bookings.get(`debit_1_${id}`)]).to.deep.equal([1, 1])
          expect(await postingsOf(service.database, id)).to.deep.equal(['credit', 'reserve', 'reversal'])
        }
        expect(wallet.bookings.size).to.equal(12)
        expect(
          await service.database.prize.count({ where: { casinoId: casino.id, state: 'voided' } }),
        ).to.equal(6)
        expect(await balancesOf(service.database, casino.id)).to.deep.equal({})
        await service.drain()
      },
    )

    itInLongForm(
      'get calls again within seconds after they refused the service and are resumed',
      async () => {
        wallet.behave({ status: 401, body: '' })
        await cashBack(casino, 3)
        const operator = createOperator(service.client, casino.apiKey)
        const setting = `/${casino.id}/settings/wallet`
        await eventually('the wallet is paused, and all wait', async () => {
          const isPaused = Boolean(at(await operator.get(setting), 'data.paused_at'))
          const resting = await service.database.outbox.count({ where: { snoozedUntil: { not: null } } })
          return isPaused && resting === 3
        })
        wallet.behave('honest')
        expect((await operator.post(`${setting}/resume`)).status).to.equal(200)
        await eventually('all are credited', async () => (await countIn(casino.id, 'credited')) === 3)
      },
    )

    it('do not delay the wallets of other casinos when one hangs', async () => {
      wallet.behave('hang')
      const [hanging, neighbour, ours] = [
        casino,
        await service.factory.casino(),
        await service.factory.casino(),
      ]
      const other = await startFakeWallet()
      try {
        await useWallet(service.database, service.deps.config, hanging.id, wallet, 30_000)
        await useWallet(service.database, service.deps.config, neighbour.id, other)
        // More than a worker can do at the same time.
        await cashBack(hanging, service.deps.config.workerConcurrency + 40)
        await eventually('the hanging wallet has its share', () => wallet.calls.length >= 32)
        await Promise.all([cashBack(neighbour, 10), cashBack(ours, 10)])
        await eventually('the others are credited', async () => {
          const counts = await Promise.all([neighbour, ours].map(({ id }) => countIn(id, 'credited')))
          return counts.every((count) => count === 10)
        })
        expect(wallet.underWayMax()).to.equal(32)
        expect(await countIn(hanging.id, 'credited')).to.equal(0)
      } finally {
        await other.stop()
      }
    })
  })

  describe(`a worker that is killed while a wallet is asked, queues on ${backend}`, function () {
    this.timeout(90_000)
    let service: TestService
    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
    })
    const atTestEnd = atEndOfTest()
    const startWorker = async () => {
      const worker = await startProcess('worker', service.env)
      atTestEnd(() => worker.kill())
      return worker
    }
    const usual = [['the wallet has acted', 'act-then-hang', 'credit']] as const
    const others = [
      ['the wallet has acted', 'act-then-hang', 'debit'],
      ['nothing has happened', 'hang', 'credit'],
    ] as const
    // The rarer accidents do not depend on the queues, so one kind of queue is enough for them.
    const accidents =
      backend === queuesOfProcesses[0]
        ? casesOf<(typeof usual | typeof others)[number]>([], [...usual, ...others])
        : casesOf([], usual)
    for (const [what, behaviour, operation] of accidents) {
      it(`leaves one ${operation} when ${what}`, async () => {
        const { database, client, factory } = service
        const wallet = await startFakeWallet()
        atTestEnd(() => wallet.stop())
        const casino = await factory.casino()
        await useWallet(database, service.deps.config, casino.id, wallet, 2_000)
        wallet.behave(...(operation === 'debit' ? (['honest'] as const) : []), behaviour, 'honest')
        const first = await startWorker()
        const { prizeId, playerId } = await factory.prize(casino.id)
        const body = { player_id: playerId, prize_id: prizeId }
        expect((await client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
        const where = { casinoId: casino.id }
        if (operation === 'debit') {
          const { id } = await eventually(
            'the cashback is credited',
            async () =>
              (await database.cashback.findFirst({ where: { ...where, state: 'credited' } })) ?? undefined,
          )
          const reversal = { prize: 'return', reason: 'by mistake' }
          const path = `/${casino.id}/cashbacks/${id}/reverse`
          expect((await createOperator(client, casino.apiKey).post(path, reversal)).status).to.equal(200)
        }
        const before = operation === 'debit' ? 1 : 0
        await eventually('the wallet is asked', () => wallet.calls.length === before + 1)
        await first.kill()
        const expected = expectedOf[operation]
        const cashback = await database.cashback.findFirstOrThrow({ where })
        const { id, attempts, debitAttempts, state, attemptUntil } = cashback
        expect([state, attempts, debitAttempts]).to.deep.equal([expected.asked, 1, before])
        expect(Number(attemptUntil), 'the end of its lease').to.be.greaterThan(Number(cashback.updatedAt))

        // As if the lease of the dead worker had run out.
        await database.cashback.update({ where: { id }, data: { attemptUntil: cashback.updatedAt } })
        await startWorker()
        await eventually(
          `the cashback is ${expected.done}`,
          async () => {
            await wakeSnoozed(database)
            return (await database.cashback.count({ where: { id, state: expected.done } })) === 1
          },
          60_000,
        )
        const transactionId = operation === 'debit' ? `debit_1_${id}` : id
        const calls = wallet.calls.slice(before).map((call) => [call.transactionId, call.attempt])
        expect(calls).to.deep.equal([
          [transactionId, 1],
          [transactionId, 2],
        ])
        expect(wallet.bookings.get(transactionId)).to.equal(1)
        expect(await postingsOf(database, id)).to.deep.equal(expected.postings)
        await eventually('nothing is left to do', async () => (await database.outbox.count()) === 0)
      })
    }
  })
}

const expectedOf = {
  credit: { asked: 'processing', done: 'credited', postings: ['credit', 'reserve'] },
  debit: { asked: 'reversing', done: 'reversed', postings: ['credit', 'reserve', 'reversal'] },
}
