import { describeEnding } from './child.ts'
import type { Ending } from './child.ts'

/** A process that belongs to the stack. */
export interface Part {
  /** For people: `API`, `PostgreSQL`. */
  name: string
  logFile: string
  ended: Promise<Ending>
  stop: () => Promise<void>
}

/** Says which part ended although it was not told to stop. */
export class PartDiedError extends Error {}

/** The running parts, in the order in which they were started. */
export interface Stack {
  /** Takes charge of parts that have just been started; those of one call are stopped at the same time. */
  add: (...parts: Part[]) => void
  /** Rejects with a PartDiedError as soon as a part ends by itself; never resolves. */
  death: Promise<never>
  /** Stops the parts, the last started first. Stopping twice is harmless. */
  stop: () => Promise<void>
}

export function createStack(): Stack {
  const layers: Part[][] = []
  let stopping: Promise<void> | undefined
  let reportDeath: (error: PartDiedError) => void = () => undefined
  const death = new Promise<never>((_resolve, reject) => {
    reportDeath = reject
  })
  death.catch(() => undefined) // only a caller that waits for it needs the error

  const stop = async () => {
    for (let layer = layers.pop(); layer; layer = layers.pop()) {
      await Promise.all(layer.map((part) => part.stop()))
    }
  }
  return {
    add: (...parts) => {
      layers.push(parts)
      for (const part of parts) {
        void part.ended.then((ending) => {
          if (stopping) return
          reportDeath(
            new PartDiedError(
              `${part.name} ended unexpectedly (${describeEnding(ending)}); its log is ${part.logFile}`,
            ),
          )
        })
      }
    },
    death,
    stop: () => (stopping ??= stop()),
  }
}
