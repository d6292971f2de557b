import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { renderEntities } from './entities/entity-diagram.ts'
import { replaceDiagrams } from './entities/replace-diagrams.ts'

const usage = `npm run docs:entities

Draws the tables of prisma/schema.prisma in docs/contribute/entities.md; a test compares them.`

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const root = join(import.meta.dirname, '..')
  const page = join(root, 'docs/contribute/entities.md')
  const diagrams = renderEntities(readFileSync(join(root, 'prisma/schema.prisma'), 'utf8'))
  writeFileSync(page, replaceDiagrams(readFileSync(page, 'utf8'), diagrams))
  return exitCodes.done
})
