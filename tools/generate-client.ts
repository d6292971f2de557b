/** `npm run client:generate`: writes the types of the client to client/openapi.ts. */
import { writeFileSync } from 'node:fs'
import { generateTypes } from './openapi/generate-types.ts'

writeFileSync(new URL('../client/openapi.ts', import.meta.url), await generateTypes())
console.log('client/openapi.ts has the types of the document')
