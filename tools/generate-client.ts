import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { generateTypes } from './openapi/generate-types.ts'

const usage = `npm run client:generate

Writes the types of the OpenAPI document to client/openapi.ts.`

await runMain({ usage }, async (args) => {
  parseArgs({ args, options: {} })
  writeFileSync(new URL('../client/openapi.ts', import.meta.url), await generateTypes())
  console.log('client/openapi.ts has the types of the document')
  return exitCodes.done
})
