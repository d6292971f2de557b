import { setImmediate } from 'node:timers/promises'
import { SingleBar } from 'cli-progress'

/** Between two looks at the time, and at whether the user wants to stop the program. */
const stepSize = 5_000

/**
 * Does `total` steps, so many at a time, behind a progress bar. The bar is written to the standard error, and only when
 * that is a terminal: the program's output can be redirected.
 */
export async function withProgress(
  total: number,
  run: (count: number) => Promise<void> | void,
): Promise<void> {
  const bar = new SingleBar({
    format: '{bar} {percentage} %  {value} of {total}  {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false, // would put the cursor back, but continue the work
  })
  const stopAt = (signal: NodeJS.Signals) => {
    bar.stop()
    process.kill(process.pid, signal) // `once`: now runMain ends the process
  }
  bar.start(total, 0)
  process.once('SIGINT', stopAt).once('SIGTERM', stopAt)
  try {
    for (let done = 0; done < total;) {
      const count = Math.min(stepSize, total - done)
      await run(count)
      done += count
      bar.update(done)
      await setImmediate()
    }
  } finally {
    process.removeListener('SIGINT', stopAt).removeListener('SIGTERM', stopAt)
    bar.stop()
  }
}
