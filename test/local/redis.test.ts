import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { startRedis } from '../../local/redis.ts'
import type { RunningRedis } from '../../local/redis.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { needRedisServer } from '../support/redis-servers.ts'

describe('the private Redis', function () {
  this.timeout(30_000)
  let dataDir: string
  let binary: string
  let running: RunningRedis | undefined

  async function withClient<Value>(url: string, use: (client: Redis) => Promise<Value>): Promise<Value> {
    const client = new Redis(url, { protocol: 2 })
    try {
      return await use(client)
    } finally {
      client.disconnect()
    }
  }

  before(function () {
    binary = needRedisServer(this)
  })

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rewards-redis-'))
    atTestEnd(async () => {
      await running?.stop()
      await rm(dataDir, { recursive: true, force: true })
    })
  })

  it('never evicts a key and writes every change to disk', async () => {
    running = await startRedis({ binary, dataDir })
    const settings = await withClient(running.url, async (client) => [
      await client.config('GET', 'maxmemory-policy'),
      await client.config('GET', 'appendonly'),
      await client.config('GET', 'bind'),
    ])
    expect(settings).to.deep.equal([
      ['maxmemory-policy', 'noeviction'],
      ['appendonly', 'yes'],
      ['bind', '127.0.0.1'],
    ])
  })

  it('keeps its data when it is killed and started again on the same port', async () => {
    running = await startRedis({ binary, dataDir })
    await withClient(running.url, (client) => client.set('kept', 'here'))
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    running = await startRedis({ binary, dataDir, port: running.port })
    expect(await withClient(running.url, (client) => client.get('kept'))).to.equal('here')
  })

  it('stops even if it was halted', async () => {
    running = await startRedis({ binary, dataDir })
    process.kill(running.pid, 'SIGSTOP')
    await running.stop()
    expect((await running.ended).code).to.equal(0)
  })

  it('says in one line that a server already runs on the data, or that the port is taken', async () => {
    running = await startRedis({ binary, dataDir })
    const again = await startRedis({ binary, dataDir }).catch((error: unknown) => error)
    expect(String(again)).to.equal(`Error: a Redis server already runs on ${dataDir}`)
    const { port } = running
    const taken = await startRedis({ binary, dataDir: join(dataDir, 'other'), port }).catch(
      (error: unknown) => error,
    )
    expect(String(taken)).to.equal(`Error: Redis did not start: port ${port} is taken`)
  })
})
