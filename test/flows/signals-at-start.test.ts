import { expect } from 'chai'
import { startChild } from '../../local/child.ts'
import { findProgram } from '../../local/programs.mjs'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestEnv } from '../support/config.ts'
import { startTcpServer } from '../support/partner-server.ts'

/**
 * Starts a program with a Redis that takes connections and says nothing, which its start waits for, and sends it SIGTERM
 * at that moment.
 */
async function stopWhileStarting(service: 'api' | 'worker', atTestEnd: (end: () => Promise<void>) => void) {
  const lines: string[] = []
  let tellConnected: () => void = () => undefined
  const connected = new Promise<void>((resolve) => {
    tellConnected = resolve
  })
  const redis = await startTcpServer(() => {
    tellConnected()
  })
  atTestEnd(() => redis.stop())
  const env = await createTestEnv('postgres')
  const child = await startChild({
    command: process.execPath,
    args: [await findProgram(service)],
    env: {
      ...{ PATH: process.env['PATH'], ...env, LOG_LEVEL: 'info' },
      ...{ QUEUE_BACKEND: 'redis', REDIS_URL: `redis://127.0.0.1:${redis.port}` },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGKILL', waitMs: 1_000 }],
    onLine: (line) => lines.push(line),
  })
  atTestEnd(() => child.stop())
  await Promise.race([connected, child.ended])
  if (!child.hasEnded()) process.kill(child.pid, 'SIGTERM')
  return { ending: await child.ended, lines }
}

describe('a process that is told to stop while it starts', () => {
  const atTestEnd = atEndOfTest()

  for (const service of ['api', 'worker'] as const)
    it(`stops in order once it has started (${service})`, async () => {
      const { ending, lines } = await stopWhileStarting(service, atTestEnd)
      expect(ending, lines.join('\n')).to.deep.equal({ code: 0, signal: null })
      expect(lines.at(-1)).to.contain('"msg":"stopped"')
    })
})
