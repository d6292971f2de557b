import openapiTypescript, { astToString } from 'openapi-typescript'
import { createDocument } from '../../api/openapi/document.ts'

const header = `/**
 * Made of the service's OpenAPI document by \`npm run client:generate\`.
 */
`

/** The types of the document, as TypeScript. */
export async function generateTypes(): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(createDocument('')), {
    alphabetize: false,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
  })
  return header + astToString(nodes)
}
