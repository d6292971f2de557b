import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ConfigError } from '../core/platform/config.ts'
import { describeError } from '../core/platform/logger.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { settlesWithin } from './child.ts'
import { findFreePort } from './free-port.ts'
import { assertPortIsFree } from './http.ts'
import { takeFolder } from './own-folder.ts'
import type { OwnFolder } from './own-folder.ts'
import { readSettings } from './settings.ts'
import { createStack } from './stack.ts'
import { startAll } from './start.ts'

/** Longer than any one step of the start that cannot be interrupted takes. */
const startStepTimeoutMs = 30_000
/** npm passes a terminal's Ctrl-C on to us although the terminal has done so too: one press may come as two signals. */
const samePressMs = 1_000
/** The end of a process is noticed a little later than the end of the connections to it. */
const explanationWaitMs = 300

const stack = createStack()
const interruption = new AbortController()
let folder: OwnFolder | undefined
let starting: Promise<unknown> = Promise.resolve()

let interruptedAtMs = 0
const onSignal = () => {
  if (!interruption.signal.aborted) {
    interruptedAtMs = performance.now()
    interruption.abort()
  } else if (performance.now() - interruptedAtMs > samePressMs) {
    process.exit(130) // running parts get their stop signal, without a wait for their end
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
const interrupted = new Promise<void>((resolve) => {
  interruption.signal.addEventListener('abort', () => {
    resolve()
  })
})

async function run(): Promise<void> {
  const given = readSettings()
  const settings = { ...given, port: given.port === 0 ? await findFreePort() : given.port }
  folder = await takeFolder(settings.localDir)
  await assertPortIsFree(settings.host, settings.port)
  starting = startAll(settings, folder, stack, interruption.signal).then(async ({ text, addLife }) => {
    if (interruption.signal.aborted) return
    console.log(text)
    await addLife()
  })
  const ending = Promise.race([stack.death, interrupted])
  await Promise.race([starting, ending]).catch(async (error: unknown) => {
    // A part that died explains a failed start better than the error of the part that needed it.
    await Promise.race([stack.death, delay(explanationWaitMs)])
    throw error
  })
  await ending
}

async function stopAll(): Promise<void> {
  interruption.abort()
  await settlesWithin(starting, startStepTimeoutMs) // parts that are just starting enter the stack only after that
  await stack.stop()
  await folder?.release()
}

function describe(error: unknown): string {
  const reason = error instanceof ConfigError ? error.message : String(describeError(error)['message'])
  return error instanceof ConfigError
    ? `Bad configuration: ${reason.replaceAll('\n', '; ')}`
    : reason.charAt(0).toUpperCase() + reason.slice(1).replace(/\s+/g, ' ')
}

const usage = `npm start

Runs the whole service on this machine: a PostgreSQL and a Redis of its own (unless DATABASE_URL and REDIS_URL name
others), the API and a worker, and a casino to try them with. Ctrl-C stops everything. README.md has its settings.`

await runMain({ usage, done: 'it was stopped' }, async (args) => {
  parseArgs({ args, options: {} })
  let exitCode: ExitCode = exitCodes.done
  try {
    await run()
    console.log('Stopping …')
  } catch (error) {
    exitCode = error instanceof ConfigError ? exitCodes.wrongUsage : exitCodes.failed
    console.error(describe(error))
  }
  await stopAll()
  process.exit(exitCode)
})
