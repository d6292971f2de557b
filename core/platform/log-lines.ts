import type { pino } from 'pino'

/** Without a length, `flush` would not wait for the lines. */
export const minLength = 1

/** A file or pipe that log lines go to, as `pino.destination` opens it. */
export type LogDestination = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>

/**
 * Makes the destination take the lines of one turn of the event loop together, also those that come while it writes. By
 * itself it copies all lines that wait with each new one, to measure them: as many bytes as the square of the lines of a batch.
 */
export function joinLinesOfTurn<Destination extends LogDestination>(destination: Destination): Destination {
  const write = destination.write.bind(destination)
  const flush = destination.flush.bind(destination)
  const flushSync = destination.flushSync.bind(destination)
  let lines: string[] = []

  function pass(): void {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    write(text)
  }
  /** Its next write would be asynchronous, and might not reach the end of the process. */
  function passWithoutWriting(): void {
    Object.assign(destination, { minLength: Infinity })
    pass()
    Object.assign(destination, { minLength })
  }

  return Object.assign(destination, {
    write: (line: string) => {
      if (lines.length === 0) setImmediate(pass)
      lines.push(line)
      return true
    },
    flush: (onEnd?: (error?: Error) => void) => {
      pass()
      flush(onEnd)
    },
    // The logger calls it at the end of the process, and after a fatal error.
    flushSync: () => {
      passWithoutWriting()
      flushSync()
    },
  })
}
