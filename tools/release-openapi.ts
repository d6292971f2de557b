import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createDocument } from '../api/openapi/document.ts'
import type { OpenApiDocument } from '../api/openapi/openapi-types.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { findBreakingChanges } from './openapi/find-breaking-changes.ts'

const usage = `npm run openapi:release

Writes the OpenAPI document as it is now to docs/openapi.released.json, and says what breaks for those who rely on the
one before. A test compares every later document with it.`

const file = new URL('../docs/openapi.released.json', import.meta.url)

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const document = createDocument('')
  const changes = findBreakingChanges(readReleased() ?? document, document)
  writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`)
  console.log(`${Object.keys(document.paths).length} paths are released in docs/openapi.released.json`)
  if (changes.length > 0) {
    console.log(
      `Tell those who use them about ${changes.length} breaking changes:\n- ${changes.join('\n- ')}`,
    )
  }
  return exitCodes.done
})

function readReleased(): OpenApiDocument | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument // written by this program
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
