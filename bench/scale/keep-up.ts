import type { Run } from '../with-run.ts'
import { withLoops } from './loops.ts'
import { environmentOf } from './sized.ts'
import type { Sized } from './sized.ts'

/** Several times as many as the largest size needs. */
const turnsMax = 100_000

/**
 * Lets the loops of a worker do all that is due, as they would have while the rows came: the audit trail is chained. Otherwise
 * a worker would do it beside the measured operations.
 */
export function keepUp(run: Run, sized: Sized): Promise<void> {
  return withLoops(environmentOf(run, sized), {}, async (loops) => {
    for (const { name, runOnce } of loops) {
      let turns = 0
      while ((await runOnce()) > 0) {
        if (++turns === turnsMax) throw new Error(`the loop ${name} does not come to an end`)
      }
    }
  })
}
