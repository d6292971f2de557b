import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { setUpCasinos } from '../../support/campaign/casinos.ts'
import { causeFaults } from '../../support/campaign/faults.ts'
import { sendLoad } from '../../support/campaign/load.ts'
import { createRandom } from '../../support/campaign/random.ts'
import { isSettled } from '../../support/campaign/settled.ts'
import { startStack } from '../../support/campaign/stack.ts'
import { findBrokenPromises } from '../../support/campaign/verdict.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** `npm run test:campaign` asks for more. */
const seconds = Number(process.env['CAMPAIGN_SECONDS'] ?? '12')
const seed = Number(process.env['CAMPAIGN_SEED'] ?? '20261122')
/** The number of senders, each of which sends its next request as soon as it has an answer. */
const senders = 16
/** Long enough for the leases of calls that no process will end. */
const settleBoundMs = 180_000

describeInLongForm('two APIs and two workers under faults of everything', function () {
  this.timeout(seconds * 1_000 + 2 * settleBoundMs + 120_000)
  const atTestEnd = atEndOfTest()

  it('lose nothing and have no effect twice, with keyed and keyless requests of two casinos mixed', async () => {
    const stack = await startStack({})
    atTestEnd(() => stack.stop())
    const { database, close } = openDatabase({
      url: stack.env['DATABASE_URL'] ?? '',
      poolMax: 5,
      log: createLogger('test', 'silent'),
    })
    atTestEnd(() => close())
    const wallet = await startFakeWallet()
    atTestEnd(() => wallet.stop())
    const receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())

    const casinos = await setUpCasinos(stack.apiUrl(0) ?? '', { receiver, wallet })

    const endAt = performance.now() + seconds * 1_000
    let isBroken = false
    const isOver = () => isBroken || performance.now() > endAt
    const isHopeless = () => isBroken || performance.now() > endAt + settleBoundMs
    const [load, faults] = await Promise.all([
      sendLoad({ stack, casinos, random: createRandom(seed), isOver, isHopeless, senders }),
      causeFaults(stack, createRandom(seed + 1), isOver).catch((error: unknown) => {
        isBroken = true
        throw error
      }),
    ])
    const report = `seed ${seed}; ${faults.join(', ')}; ${JSON.stringify([...load.statuses])}`
    await eventually(`all work is done (${report})`, () => isSettled(database), settleBoundMs)

    const acknowledged = load.requests.filter(({ answer }) => answer !== undefined).length
    expect(acknowledged, report).to.be.greaterThan(seconds)
    expect(faults.length, report).to.be.greaterThan(1)
    const problems = await findBrokenPromises({
      database,
      load,
      casinoIds: casinos.map(({ casino }) => casino.id),
      wallet,
      receiver,
    })
    expect(problems, report).to.deep.equal([])
  })
})
