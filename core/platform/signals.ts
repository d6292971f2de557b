/** The signals that stop a process, from its first moment on. */
export interface Signals {
  /** Aborted by the first signal: waits during the start can end early. */
  stopping: AbortSignal
  /** Sets the handler for signals; those that came before are handled immediately. */
  handle(onSignal: () => void): void
}

/** A start that takes longer than this after a signal is stuck, and has nothing to stop in order. */
export const startTimeoutMs = 30_000
/** The exit code that shells use for an interrupted program. */
const interruptedCode = 130

/**
 * Must be called before anything is loaded: until then a signal ends the process where it stands or, in the first
 * process of a container, is ignored. A second signal ends it immediately. For that reason this file imports nothing.
 */
export function watchSignals(): Signals {
  const controller = new AbortController()
  let handler: (() => void) | undefined
  const onSignal = () => {
    if (handler !== undefined) handler()
    else if (controller.signal.aborted) process.exit(interruptedCode)
    else setTimeout(() => process.exit(interruptedCode), startTimeoutMs).unref()
    controller.abort()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return {
    stopping: controller.signal,
    handle: (next) => {
      handler = next
      if (controller.signal.aborted) next()
    },
  }
}
