import { expect } from 'chai'
import { createMoveCashbacks } from '../../../core/cashback/move-cashbacks.ts'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createCrediting } from '../../support/crediting.ts'
import type { Crediting } from '../../support/crediting.ts'
import { postingsOf } from '../../support/ledger.ts'

describe('crediting, when a casino changes its wallet', () => {
  let crediting: Crediting

  const atEnd = atEndOfSuite()
  before(async () => {
    crediting = await createCrediting()
    atEnd(() => crediting.close())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    await crediting.begin()
    atTestEnd(() => crediting.end())
  })

  it('leaves a cashback that an outside wallet may have credited to operators, once the casino uses the service’s ledger', async () => {
    const { casinoId, works } = await crediting.request(2)
    const [asked, fresh] = works
    if (asked === undefined || fresh === undefined) throw new Error('too little work')
    crediting.wallet().behave('act-then-die')
    await crediting.run(asked)
    await crediting.database.casinoSetting.deleteMany({ where: { casinoId } })
    await crediting.restart()
    expect(await crediting.run(asked)).to.equal('done')
    expect(await crediting.read(asked)).to.include({ state: 'manual_review', problem: 'wallet_changed' })
    expect(await crediting.deps().metrics.registry.metrics()).to.contain(
      'rewards_cashbacks_reviewed_total{problem="wallet_changed"} 1',
    )
    expect(await crediting.run(fresh)).to.equal('done')
    expect(await crediting.read(fresh)).to.include({ state: 'credited', wallet: 'ledger', attempts: 0 })
    expect(crediting.wallet().calls).to.have.length(1)
  })

  it('credits a cashback that no wallet can have received in the service’s ledger, once the casino uses that', async () => {
    const { casinoId, works } = await crediting.request(2)
    const [refused, asked] = works
    if (refused === undefined || asked === undefined) throw new Error('too little work')
    crediting.wallet().behave('act-then-die', { status: 404, body: '' })
    await crediting.run(asked)
    await crediting.run(refused)
    expect(await crediting.read(refused)).to.include({ state: 'unknown', problem: 'status_404' })
    await crediting.database.casinoSetting.deleteMany({ where: { casinoId } })
    await crediting.restart()
    expect(await crediting.run(refused)).to.equal('done')
    expect(await crediting.read(refused)).to.include({ state: 'credited', wallet: 'ledger', problem: null })
    expect(await postingsOf(crediting.database, refused.objectId)).to.deep.equal(['credit', 'reserve'])
    expect(await crediting.outboxOf(refused)).to.equal(null)
    expect((await crediting.prizeOf(refused)).state).to.equal('cashed_back')
    // A person who has found out that the wallet before paid nothing lets our ledger pay.
    expect(await crediting.run(asked)).to.equal('done')
    expect(await crediting.read(asked)).to.include({ state: 'manual_review' })
    const retried: DueWork[] = []
    const handOver = (caused: readonly DueWork[]) => void retried.push(...caused)
    const move = createMoveCashbacks({ database: crediting.database, clock: crediting.clock, handOver })
    const by = { actor: 'test', reason: 'looked', requestId: 'test' }
    for (const kind of ['release', 'retry'] as const) {
      await move([{ casinoId, cashbackId: asked.objectId, move: { kind }, ...by }])
    }
    for (const work of retried) expect(await crediting.run(work)).to.equal('done')
    expect(await crediting.read(asked)).to.include({ state: 'credited', wallet: 'ledger', problem: null })
    expect(crediting.wallet().calls).to.have.length(2)
  })

  it('leaves a cashback that a wallet may have credited to operators, once the casino has another wallet', async () => {
    const { casinoId, works } = await crediting.request(3)
    const [asked, fresh, unheard] = works
    if (asked === undefined || fresh === undefined || unheard === undefined)
      throw new Error('too little work')
    crediting.wallet().behave('act-then-die', 'honest')
    await crediting.run(asked)
    await crediting.database.$executeRaw`
      UPDATE casino_setting SET value = jsonb_set(value, '{url}', to_jsonb('http://127.0.0.1:1/none'::text))
       WHERE casino_id = ${casinoId}::text`
    await crediting.restart()
    expect(await crediting.run(asked)).to.equal('done')
    expect(await crediting.read(asked)).to.include({ state: 'manual_review', problem: 'wallet_changed' })
    // Nobody can have heard of this one, so the next wallet may be asked.
    expect(await crediting.run(unheard)).to.equal('snoozed')
    expect(await crediting.read(unheard)).to.include({ state: 'unknown', walletAsked: null })
    await crediting.database.$executeRaw`
      UPDATE casino_setting SET value = jsonb_set(value, '{url}', to_jsonb(${`${crediting.wallet().url}?new`}::text))
       WHERE casino_id = ${casinoId}::text`
    await crediting.restart()
    for (const work of [fresh, unheard]) {
      expect(await crediting.run(work)).to.equal('done')
      expect(await crediting.read(work)).to.include({ state: 'credited' })
    }
    expect(crediting.wallet().bookings.get(asked.objectId)).to.equal(1)
  })
})
