import { expect } from 'chai'
import { Registry } from 'prom-client'
import { openDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { addPoolGauges } from '../../core/platform/pool-gauges.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { createTestDatabase } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { needPrometheus, runPromtool } from '../support/promtool.ts'
import { startService } from '../support/service.ts'

/** A caller chooses the method: if each had series of its own, callers could make thousands of them. */
const oddMethods = ['HEAD', 'PATCH', 'OPTIONS', 'PROPFIND']

describe('the metrics of a process', () => {
  const scrapes = new Map<string, string>()

  const atEnd = atEndOfSuite()
  before(async () => {
    const play = await startService({ env: { SURFACES: 'play' } })
    atEnd(() => play.stop())
    const manage = await startService({ env: { SURFACES: 'manage' } })
    atEnd(() => manage.stop())
    const casino = await play.factory.casino()
    const prize = await play.factory.prize(casino.id)
    const body = { player_id: prize.playerId, prize_id: prize.prizeId }
    expect((await play.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    await Promise.all(oddMethods.map((method) => fetch(new URL('/box/open', play.url), { method })))
    for (const method of ['GET', 'HEAD']) await fetch(new URL('/healthz', play.url), { method })
    const worker = play.startWorker()
    await play.drain()
    scrapes.set('api', await play.deps.metrics.registry.metrics())
    scrapes.set('worker', await worker.deps.metrics.registry.metrics())
    scrapes.set('manage', (await manage.client.send('GET', '/metrics')).text)
  })

  for (const program of ['api', 'manage', 'worker']) {
    it(`follow the conventions for names, units and help: ${program}`, async function () {
      needPrometheus(this)
      const verdict = await runPromtool(['check', 'metrics'], scrapes.get(program))
      expect(verdict).to.deep.equal({ isAccepted: true, said: '' })
    })

    it(`have the prefix rewards, except those about Node and its process: ${program}`, () => {
      const names = [...(scrapes.get(program) ?? '').matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
      expect(names.length).to.be.greaterThan(20)
      expect(names.filter((name = '') => !/^(rewards|process|nodejs)_/.test(name))).to.deep.equal([])
    })

    it(`name the program and its release: ${program}`, () => {
      expect(scrapes.get(program)).to.match(
        new RegExp(
          `^rewards_build_info\\{program="${program}",version="[\\d.]+",node="${process.versions.node}"\\} 1$`,
          'm',
        ),
      )
    })
  }

  it('count requests by method, and all methods that a route does not have as "other"', () => {
    const series = [
      ...(scrapes.get('api') ?? '').matchAll(/^rewards_http_requests_total\{(.*)\} ([1-9]\d*)$/gm),
    ]
    expect(series.map(([, labels, count]) => `${labels} ${count}`)).to.have.members([
      'method="POST",route="/prize/cashback",status="200" 1',
      `method="other",route="unknown",status="405" ${oddMethods.length}`,
      'method="other",route="/healthz",status="200" 1',
      'method="GET",route="/healthz",status="200" 1',
    ])
  })

  it('show how many connections of each pool are busy, and how many statements wait for one', async () => {
    const limits = (scrapes.get('api') ?? '').matchAll(
      /^rewards_pool_connections_limit\{pool="(\w+)"\} \d+$/gm,
    )
    expect([...limits].map(([, pool]) => pool)).to.deep.equal(['play', 'manage', 'reads', 'watch'])
    const { database, inUse, close } = openDatabase({
      url: await createTestDatabase(),
      poolMax: 1,
      log: createLogger('test', 'silent'),
    })
    try {
      const registry = new Registry()
      addPoolGauges(registry, { only: inUse })
      const values = async () =>
        (await registry.metrics()).split('\n').filter((line) => line.startsWith('rewards_pool_'))
      await database
        .$transaction(async (transaction) => {
          await transaction.$queryRaw`SELECT 1`
          const waiting = database.$queryRaw`SELECT 2`.then(() => undefined)
          await eventually('a statement waits', () => inUse().waiting === 1)
          expect(await values()).to.deep.equal([
            'rewards_pool_connections{pool="only",state="busy"} 1',
            'rewards_pool_connections{pool="only",state="idle"} 0',
            'rewards_pool_connections_limit{pool="only"} 1',
            'rewards_pool_waiting_statements{pool="only"} 1',
          ])
          return { waiting }
        })
        .then(({ waiting }) => waiting)
      expect(await values()).to.include('rewards_pool_connections{pool="only",state="idle"} 1')
    } finally {
      await close()
    }
  })
})
