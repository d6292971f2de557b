import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { startChild } from '../../../local/child.ts'
import { findProgram } from '../../../local/programs.mjs'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { startTcpServer } from '../../support/partner-server.ts'
import { casesOf } from '../../support/runs.ts'

type Service = 'api' | 'manage' | 'worker'
type AtEnd = (end: () => Promise<void>) => void

/** Starts a program with these Node arguments and settings; `lines` are the lines of its output. */
async function start(service: Service, nodeArgs: readonly string[], env: Env, atTestEnd: AtEnd) {
  const lines: string[] = []
  const child = await startChild({
    command: process.execPath,
    args: [...nodeArgs, await findProgram(service)],
    env: { PATH: process.env['PATH'], ...env, LOG_LEVEL: 'info', ADMIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGKILL', waitMs: 1_000 }],
    onLine: (line) => lines.push(line),
  })
  atTestEnd(() => child.stop())
  return { child, lines }
}

/** Sends SIGTERM when only the code that watches for signals has been loaded. */
async function stopWhileLoading(service: Service, atTestEnd: AtEnd) {
  const preload = pathToFileURL(join(import.meta.dirname, '../../support/stop-at-first-import.mjs')).href
  const { child, lines } = await start(
    service,
    ['--import', preload],
    await createTestEnv('postgres'),
    atTestEnd,
  )
  return { ending: await child.ended, lines }
}

/** Sends SIGTERM while the start waits for a Redis that takes connections and says nothing. */
async function stopWhileStarting(service: Service, atTestEnd: AtEnd) {
  let tellConnected: () => void = () => undefined
  const connected = new Promise<void>((resolve) => {
    tellConnected = resolve
  })
  const redis = await startTcpServer(() => {
    tellConnected()
  })
  atTestEnd(() => redis.stop())
  const env = {
    ...(await createTestEnv('postgres')),
    QUEUE_BACKEND: 'redis',
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  }
  const { child, lines } = await start(service, [], env, atTestEnd)
  await Promise.race([connected, child.ended])
  if (!child.hasEnded()) process.kill(child.pid, 'SIGTERM')
  return { ending: await child.ended, lines }
}

describe('a process that is told to stop while it starts', () => {
  const atTestEnd = atEndOfTest()

  for (const service of casesOf([], ['api', 'worker', 'manage'] as const)) {
    it(`stops in order once it has started, when it is told before anything is loaded (${service})`, async () => {
      const { ending, lines } = await stopWhileLoading(service, atTestEnd)
      expect(ending, lines.join('\n')).to.deep.equal({ code: 0, signal: null })
      expect(lines.at(-1)).to.contain('"msg":"stopped"')
    })
  }
  for (const service of casesOf(['api'] as const, ['worker', 'manage'] as const)) {
    it(`stops in order once it has started, when it waits for something (${service})`, async () => {
      const { ending, lines } = await stopWhileStarting(service, atTestEnd)
      expect(ending, lines.join('\n')).to.deep.equal({ code: 0, signal: null })
      expect(lines.at(-1)).to.contain('"msg":"stopped"')
    })
  }
})
