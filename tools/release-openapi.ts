import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createDocument } from '../api/openapi/document.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { contractOf, renderContract } from './openapi/contract.ts'
import type { Contract } from './openapi/contract.ts'
import { findBreakingChanges } from './openapi/find-breaking-changes.ts'

const usage = `npm run openapi:release

Writes what callers rely on in the OpenAPI document to tools/openapi/released.json, and lists what breaks for those who
rely on the one before. A test compares every later document with it.`

const file = new URL('openapi/released.json', import.meta.url)

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const current = contractOf(createDocument(''))
  const changes = findBreakingChanges(readReleased() ?? current, current)
  writeFileSync(file, renderContract(current))
  console.log(`${Object.keys(current.paths).length} paths are released in tools/openapi/released.json`)
  if (changes.length > 0) {
    console.log(
      `Tell those who use them about ${changes.length} breaking changes:\n- ${changes.join('\n- ')}`,
    )
  }
  return exitCodes.done
})

function readReleased(): Contract | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Contract // written by this program
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
