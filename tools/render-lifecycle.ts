import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { replaceDiagrams } from './entities/replace-diagrams.ts'
import { machines, renderDiagram } from './lifecycle/diagrams.ts'

const usage = `npm run docs:lifecycle

Writes the diagrams of the state tables into docs/contribute/lifecycle.md; a test compares them.`

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const path = join(import.meta.dirname, '../docs/contribute/lifecycle.md')
  const diagrams: Record<string, string> = {}
  for (const [heading, machine] of Object.entries(machines)) diagrams[heading] = renderDiagram(machine)
  writeFileSync(path, replaceDiagrams(readFileSync(path, 'utf8'), diagrams))
  return exitCodes.done
})
