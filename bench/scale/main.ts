import { cpus } from 'node:os'
import { runMain } from '../../core/platform/main-program.ts'
import type { Help } from '../../core/platform/main-program.ts'
import { withRun, writeResults } from '../with-run.ts'
import { measureOperations } from './measure-operations.ts'
import type { MeasuredOperation } from './measure-operations.ts'
import { measureProcesses, renderProcesses } from './measure-processes.ts'
import type { MeasuredProcesses } from './measure-processes.ts'
import { measureReads } from './measure-reads.ts'
import type { MeasuredRead } from './measure-reads.ts'
import { parseOptions, usage } from './options.ts'
import { findBounded, renderMeasured } from './report.ts'
import { createSized } from './sized.ts'
import type { Sized } from './sized.ts'
import { exitCodeOf, judge, renderVerdict } from './verdict.ts'

const help: Help = {
  usage,
  problemFound: 'a result is wrong, or a bound is exceeded: the output says which',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

await runMain(help, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: undefined }, async (run) => {
    const sized: Sized[] = []
    for (const size of options.sizes) {
      console.log(`filling ${size} prizes`)
      sized.push(await createSized(run, { size, name: `scale_${size}` }))
    }
    const operations: MeasuredOperation[] = []
    for (let round = 1; round <= options.rounds; round++) {
      // Forwards and backwards, so that a machine that slows down favours no size.
      for (const one of round % 2 === 0 ? sized.toReversed() : sized) {
        console.log(`round ${round}: operations beside ${one.size} prizes`)
        operations.push(...(await measureOperations(run, one, options)))
      }
    }
    const reads: MeasuredRead[] = []
    for (const one of sized) {
      console.log(`lists, scrapes and loops beside ${one.size} prizes`)
      reads.push(...(await measureReads(run, one, options)))
    }
    const processes: MeasuredProcesses[] = []
    for (const smallest of sized.slice(0, 1)) {
      console.log('several APIs and workers')
      processes.push(...(await measureProcesses(run, smallest, options)))
    }
    const measured = { sizes: sized, operations, reads }
    const file = await writeResults('scale-', {
      options,
      sizes: sized.map(({ size, fillSeconds, bytes }) => ({ size, fillSeconds, bytes })),
      operations,
      reads,
      processes,
    })
    console.log(`\n${renderMeasured(measured)}\n\n${renderProcesses(processes)}\n\nwritten to ${file}`)
    const verdict = judge(
      {
        wrong: [...operations, ...processes].flatMap(({ problems }) => problems),
        findings: findBounded(measured),
      },
      cpus().length,
    )
    console.error(renderVerdict(verdict))
    return exitCodeOf(verdict)
  })
})
