/** The signals that stop a process, from its first moment on. */
export interface Signals {
  /** Aborted by the first of them: what waits for something while the process starts need not wait on. */
  stopping: AbortSignal
  /** Says what to do with each signal; with those that came before, at once. */
  handle(onSignal: () => void): void
}

/** A start that takes longer than this after a signal is stuck, and has nothing to stop in order. */
export const startTimeoutMs = 30_000
/** As a shell says of a program that somebody has interrupted. */
const interruptedCode = 130

/**
 * To be called before anything is loaded: until then a signal ends the process where it stands, or, when it is the first
 * of a container, is ignored. A second signal ends it at once. This file imports nothing for that reason.
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
