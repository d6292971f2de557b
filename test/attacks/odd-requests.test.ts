import { expect } from 'chai'
import { findStockDifferences, listCasinosWithStock } from '../../core/box/check-stock.ts'
import { textAt } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { auditTables, createLiveAndTestWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { adminApiKey } from '../support/config.ts'
import { dumpSettled } from '../support/database-dump.ts'
import { eventually } from '../support/eventually.ts'
import { findContradictions } from '../support/model/always.ts'
import { readRecords } from '../support/model/records.ts'
import { startProcess } from '../support/processes.ts'
import type { ServiceProcess } from '../support/processes.ts'
import { runs } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { attack } from './generator/attack.ts'
import type { Target } from './generator/odd-requests.ts'

/** `npm run attack:generate` sends more requests, and different ones. */
const requests = Number(process.env['ATTACK_REQUESTS'] ?? runs(400, 120))
const seed = Number(process.env['ATTACK_SEED'] ?? 20_261_120)
/** After this many requests the process has compiled its code, filled its caches and opened its connections. */
const warmUp = Math.min(10_000, Math.ceil(requests / 2))
/** The memory that a garbage collector may leave for later. */
const growthBytesMax = 150 * 1024 * 1024

describe(`${requests} odd requests with seed ${seed}`, function () {
  this.timeout(120_000 + requests * 30)
  let service: TestService
  let api: ServiceProcess
  let target: Target
  let bystander: World

  const atEnd = atEndOfSuite()
  before(async () => {
    // Here one key sends thousands of requests.
    service = await startService({ env: { RATE_LIMITS: noLimits } })
    atEnd(() => service.stop())
    const worlds = await createLiveAndTestWorld(service)
    ;[bystander] = await createLiveAndTestWorld(service)
    // URLs in the requests name this machine, which must not be called.
    api = await startProcess(
      'api',
      { ...service.env, OUTBOUND_ALLOW_PRIVATE: 'false' },
      { logLevel: 'debug' },
    )
    atEnd(() => api.kill())
    target = { worlds, keys: await createKeys(worlds) }
  })

  it('are answered as documented, without a 5xx and without internal details', async () => {
    const before = (await dumpOf(bystander)).join('\n')
    const warmedUp = await attack(api.url, target, { seed, first: 0, last: warmUp })
    const start = await memory()
    const rest = await attack(api.url, target, { seed, first: warmUp, last: requests })
    const end = await memory()
    const all = Object.entries(rest.statuses).map(
      ([status, count]) => [status, count + (warmedUp.statuses[Number(status)] ?? 0)] as const,
    )
    process.stdout.write(`      ${all.map(([status, count]) => `${status}: ${count}`).join(', ')}\n`)
    const mega = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
    process.stdout.write(
      `      resident ${mega(start.resident)} → ${mega(end.resident)}, heap ${mega(start.heap)} → ${mega(end.heap)}`,
    )
    expect([...warmedUp.surprises, ...rest.surprises].join('\n')).to.equal('')
    expect(rest.statuses[200], 'some of them are good').to.be.greaterThan(requests / 40)
    expect(rest.statuses[400], 'most of them are bad').to.be.greaterThan(requests / 20)
    expect(end.resident - start.resident).to.be.lessThan(growthBytesMax)
    expect((await dumpOf(bystander)).join('\n'), 'another casino').to.equal(before)
  })

  it('leave the process healthy, with a log of whole lines and no error in it', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await fetch(api.url + path)).status, path).to.equal(200)
    await eventually('every request is in the log', () => api.lines.length > requests)
    const levels = api.lines.map((line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string }
      return level === 'error' || level === 'fatal' ? `${level} ${msg} ${line.slice(0, 500)}` : level
    })
    expect(levels.filter((level) => level.startsWith('error') || level.startsWith('fatal'))).to.deep.equal([])
    expect(await api.terminate()).to.equal(0)
  })

  it('leave the data consistent', async () => {
    for (const { casinoId } of target.worlds) {
      expect(findContradictions(await readRecords(service.database, casinoId)), casinoId).to.deep.equal([])
    }
    for (const casinoId of await listCasinosWithStock(service.database)) {
      expect(await findStockDifferences(service.database, casinoId), casinoId).to.deep.equal([])
    }
  })

  async function createKeys(worlds: readonly World[]): Promise<Target['keys']> {
    const [live, test] = worlds
    if (live === undefined || test === undefined) throw new Error('no worlds')
    const strict = await service.client.post(`/admin/casinos/${live.casinoId}/api-keys`, live.apiKey, {
      scopes: ['play', 'manage'],
      require_idempotency_key: true,
    })
    return [
      { text: live.apiKey, weight: 10 },
      { text: test.apiKey, weight: 4 },
      { text: adminApiKey, weight: 4 },
      { text: textAt(strict, 'data.api_key'), weight: 1 },
      { text: await service.factory.apiKey(live.casinoId, ['play']), weight: 1 },
      { text: bystanderKey, weight: 0.2 },
      { text: 'x'.repeat(600), weight: 0.1 },
      { text: undefined, weight: 0.5 },
    ]
  }

  /** All rows of a casino that no request names. */
  async function dumpOf({ casinoId }: World): Promise<string[]> {
    const dump = await dumpSettled(service, auditTables)
    return [...dump.values()].flat().filter((row) => row.includes(`"casino_id": "${casinoId}"`))
  }

  async function memory(): Promise<{ resident: number; heap: number }> {
    const text = await (await fetch(`${api.url}/metrics`)).text()
    const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    return {
      resident: valueOf('process_resident_memory_bytes'),
      heap: valueOf('nodejs_heap_size_used_bytes'),
    }
  }
})

const noLimits = 'box_open=none,prize_order=none,prize_cashback=none,reads=none,management=none'
const bystanderKey = `rk_live_${'0'.repeat(54)}`
