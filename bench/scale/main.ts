import { cpus } from 'node:os'
import { runMain } from '../../core/platform/main-program.ts'
import type { Help } from '../../core/platform/main-program.ts'
import { withRun, writeResults } from '../with-run.ts'
import { keepUp } from './keep-up.ts'
import { findSlowArchive, renderArchive } from './archive-report.ts'
import { measureArchive } from './measure-archive.ts'
import type { MeasuredArchive } from './measure-archive.ts'
import { findUnfair, measureFairness, renderFairness } from './measure-fairness.ts'
import type { MeasuredFairness } from './measure-fairness.ts'
import { measureHotStock, renderHotStock } from './measure-hot-stock.ts'
import type { MeasuredHotStock } from './measure-hot-stock.ts'
import { measureProcesses, renderProcesses } from './measure-processes.ts'
import type { MeasuredProcesses } from './measure-processes.ts'
import { parseOptions, usage } from './options.ts'
import type { Part } from './options.ts'
import { measurePhase } from './phase.ts'
import type { Phase } from './phase.ts'
import { findBounded, renderPhase, renderSizes } from './report.ts'
import { createSized } from './sized.ts'
import type { Sized } from './sized.ts'
import { exitCodeOf, judge, renderVerdict } from '../verdict.ts'

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
      const one = await createSized(run, { size, name: `scale_${size}` })
      await keepUp(run, one)
      sized.push(one)
    }
    const sizes = sized.map(({ size, fillSeconds, bytes }) => ({ size, fillSeconds, bytes }))
    const has = (part: Part) => options.parts.includes(part)
    const phases: Phase[] = []
    const archives: MeasuredArchive[] = []
    const processes: MeasuredProcesses[] = []
    const hotStock: MeasuredHotStock[] = []
    const fairness: MeasuredFairness[] = []
    if (has('sizes')) phases.push(await measurePhase(run, sized, options, 'before the archive'))
    for (const one of has('archive') ? sized : []) {
      console.log(`the archive beside ${one.size} prizes`)
      archives.push(await measureArchive(run, one, options))
    }
    if (has('archive')) phases.push(await measurePhase(run, sized, options, 'after the archive'))
    for (const smallest of has('processes') ? sized.slice(0, 1) : []) {
      console.log('several APIs and workers')
      processes.push(...(await measureProcesses(run, smallest, options)))
      console.log('hot stock through several APIs')
      hotStock.push(...(await measureHotStock(run, smallest, options)))
      console.log('a small casino beside a large one, through two APIs')
      fairness.push(await measureFairness(run, smallest, options))
    }
    const file = await writeResults('scale-', {
      options,
      sizes,
      phases,
      archives,
      processes,
      hotStock,
      fairness,
    })
    const tables = [
      renderSizes(sizes),
      ...phases.map((phase) => renderPhase(options.sizes, phase)),
      ...(archives.length === 0 ? [] : [renderArchive(archives)]),
      ...(processes.length === 0 ? [] : [renderProcesses(processes), renderHotStock(hotStock)]),
      ...fairness.map(renderFairness),
    ]
    console.log(`\n${tables.join('\n\n')}\n\nwritten to ${file}`)
    const measured = [
      ...phases.flatMap(({ operations }) => operations),
      ...archives,
      ...processes,
      ...hotStock,
      ...fairness,
    ]
    const verdict = judge(
      {
        wrong: measured.flatMap(({ problems }) => problems),
        findings: [
          ...phases.flatMap(findBounded),
          ...archives.flatMap(findSlowArchive),
          ...fairness.flatMap(findUnfair),
        ],
      },
      cpus().length,
    )
    console.error(renderVerdict(verdict, 'Every bound was kept.'))
    return exitCodeOf(verdict)
  })
})
