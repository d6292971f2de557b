import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { generateTypes } from './openapi/generate-types.ts'

const usage = `npm run client:generate

Writes the types of the OpenAPI document to client/generated/openapi.ts. "npm run generate", "npm run
types" and every installation do so too.`

const folder = new URL('../client/generated/', import.meta.url)

await runMain({ usage }, async (args) => {
  parseArgs({ args, options: {} })
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('openapi.ts', folder), await generateTypes())
  console.log('client/generated/openapi.ts has the types of the document')
  return exitCodes.done
})
