import type { Run } from '../with-run.ts'
import { vacuumChanged } from './keep-up.ts'
import { measureOperations } from './measure-operations.ts'
import type { MeasuredOperation } from './measure-operations.ts'
import { measureReads } from './measure-reads.ts'
import type { MeasuredRead } from './measure-reads.ts'
import type { ScaleOptions } from './options.ts'
import type { Sized } from './sized.ts'

/** Operations, lists, scrapes and loops at every size. Only figures of one phase are compared with each other. */
export interface Phase {
  name: 'before the archive' | 'after the archive'
  operations: readonly MeasuredOperation[]
  reads: readonly MeasuredRead[]
}

export async function measurePhase(
  run: Run,
  sizes: readonly Sized[],
  options: ScaleOptions,
  name: Phase['name'],
): Promise<Phase> {
  const operations: MeasuredOperation[] = []
  for (let round = 1; round <= options.rounds; round++) {
    // Forwards and backwards, so that a machine that slows down favours no size.
    for (const sized of round % 2 === 0 ? sizes.toReversed() : sizes) {
      console.log(`${name}, round ${round}: operations beside ${sized.size} prizes`)
      operations.push(...(await measureOperations(run, sized, options)))
      const seconds = await vacuumChanged(run, sized)
      console.log(`  vacuumed afterwards in ${seconds.toFixed(1)} s`)
    }
  }
  const reads: MeasuredRead[] = []
  for (const sized of sizes) {
    console.log(`${name}: lists, scrapes and loops beside ${sized.size} prizes`)
    reads.push(...(await measureReads(run, sized, options)))
  }
  return { name, operations, reads }
}
