import { setImmediate } from 'node:timers/promises'
import { SingleBar } from 'cli-progress'

/** Between two looks at the time, and at whether somebody wants to stop the program. */
const stepSize = 5_000

/**
 * Does `total` steps, so many at a time, behind a progress bar. The bar is written to the standard error, and only when
 * that is a terminal: what the program prints can be redirected.
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
  })
  bar.start(total, 0)
  try {
    for (let done = 0; done < total;) {
      const count = Math.min(stepSize, total - done)
      await run(count)
      done += count
      bar.update(done)
      await setImmediate()
    }
  } finally {
    bar.stop()
  }
}
