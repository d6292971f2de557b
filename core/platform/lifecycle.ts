import { monotonicMs } from './clock.ts'
import { describeError } from './logger.ts'
import type { Logger } from './logger.ts'
import { exitCodes } from './main-program.ts'
import type { ExitCode, Help } from './main-program.ts'
import { startTimeoutMs } from './signals.ts'
import type { Signals } from './signals.ts'

/** `npm start` marks its processes with this; the mark changes nothing. */
export const serviceOptions = { 'local-dir': { type: 'string' } } as const

/** The help text of a process that runs until it is stopped. */
export function serviceHelp(script: string, name: string): Help {
  return {
    usage: `npm run ${script}

Runs ${name}, with the settings in the environment: docs/operate/configure.md has them. SIGTERM and SIGINT stop it in order.

  --local-dir DIR   a mark by which npm start knows its processes; changes nothing`,
    done: 'it was stopped',
    failed: 'it could not start, or ended itself; the log has the reason',
  }
}

/** A part of a process that can be stopped; stopping twice is harmless. */
export interface Stoppable {
  stop(): Promise<void>
}

/** A loop's longer pause: `ms`, once there has been no work for `afterMs`. */
export interface Rest {
  afterMs: number
  ms: number
}

export interface RunningLoop extends Stoppable {
  /** Ends a rest, since there may be work. */
  wake: () => void
  isResting: () => boolean
}

/**
 * Calls `runOnce` repeatedly until stopped: immediately while it reports work done, otherwise after `idleMs`, and less often
 * while it rests. An error is logged and retried after the pause; it never ends the loop.
 */
export function startLoop(options: {
  name: string
  runOnce: () => Promise<number>
  idleMs: number
  rest?: Rest | undefined
  log: Logger
  nowMs?: () => number
}): RunningLoop {
  const { idleMs, rest, nowMs = monotonicMs } = options
  let stopped = false
  let workedAtMs = nowMs()
  let isResting = false
  let endPause: () => void = () => undefined
  const pause = () =>
    new Promise<void>((resolve) => {
      const ofRest = rest !== undefined && nowMs() - workedAtMs >= rest.afterMs ? rest.ms : undefined
      isResting = ofRest !== undefined
      const timer = setTimeout(resolve, ofRest ?? idleMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    }).finally(() => {
      isResting = false
    })

  const run = async () => {
    let failing = false
    while (!isStopped()) {
      try {
        const done = await options.runOnce()
        if (failing) options.log.info({ loop: options.name }, 'background loop works again')
        failing = false
        if (done > 0) {
          workedAtMs = nowMs()
          continue
        }
      } catch (error) {
        // Logged once per outage: the loop runs several times a second.
        if (!failing) options.log.error({ err: error, loop: options.name }, 'background loop failed')
        failing = true
        workedAtMs = nowMs() // there may be work
      }
      if (!isStopped()) await pause()
    }
  }
  const isStopped = () => stopped
  const running = run()
  return {
    wake: () => {
      workedAtMs = nowMs()
      if (isResting) endPause()
    },
    isResting: () => isResting,
    stop: () => {
      stopped = true
      endPause()
      return running
    },
  }
}

/**
 * Ends the process on SIGTERM or SIGINT: runs `stop` for at most `timeoutMs`; a second signal ends it immediately. An
 * uncaught error is logged and ends it too, with a failure exit code, because the process is then in an unknown state.
 */
export function stopOnSignals(options: {
  signals: Signals
  /** The process's start, if it may still be in progress; a failing one ends the process by itself. */
  started?: Promise<unknown>
  stop: () => Promise<void>
  timeoutMs: number
  log: Logger
}): {
  stopNow: (exitCode: ExitCode) => void
} {
  let stopping = false
  const giveUpAfter = (ms: number) => {
    setTimeout(() => {
      options.log.error('stopping took too long: ending the process while work is still running')
      process.exit(exitCodes.failed)
    }, ms).unref()
  }
  /** Lines being written when a process exits come after the last ones, or never. */
  const exitWhenWritten = (exitCode: ExitCode) => {
    options.log.flush(() => process.exit(exitCode))
  }
  /** A half-started process cannot be stopped in order; the time-out for stopping begins afterwards. */
  const stopWhenStarted = async () => {
    giveUpAfter(startTimeoutMs + options.timeoutMs)
    await options.started
    giveUpAfter(options.timeoutMs)
    await options.stop()
  }
  const stopNow = (exitCode: ExitCode) => {
    if (stopping) return process.exit(exitCode === exitCodes.done ? 130 : exitCode)
    stopping = true
    stopWhenStarted().then(
      () => {
        options.log.info('stopped')
        exitWhenWritten(exitCode)
      },
      (error: unknown) => {
        options.log.error({ err: error }, 'stopping failed')
        exitWhenWritten(exitCodes.failed)
      },
    )
  }
  const onUncaught = (error: unknown) => {
    options.log.fatal({ err: describeError(error) }, 'uncaught error')
    stopNow(exitCodes.failed)
  }
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  options.signals.handle(() => {
    stopNow(exitCodes.done)
  })
  return { stopNow }
}
