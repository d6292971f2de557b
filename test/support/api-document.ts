import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { createDocument } from '../../api/openapi/document.ts'
import type { OperationObject, ResponseObject } from '../../api/openapi/openapi-types.ts'

/** The document that the service publishes, made once for all tests. */
export const apiDocument = createDocument('')

/** A validator of the document's JSON Schemas, with patterns as most programs read them: without the flag `u`. */
export function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    unicodeRegExp: false,
  })
  // It only says where to look first: the alternatives say it themselves.
  ajv.addKeyword('discriminator')
  formats.default(ajv, ['date-time', 'email', 'uri'])
  return ajv
}

interface Path {
  template: string
  pattern: RegExp
  operations: Partial<Record<string, OperationObject>>
}

/** Paths without parameters first: they win, as they do in the router. */
const paths: readonly Path[] = Object.entries(apiDocument.paths)
  .map(([template, operations]) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    operations,
  }))
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length)

export function findPath(path: string): Path | undefined {
  return paths.find(({ pattern }) => pattern.test(path))
}

/** The document's description of an operation's answers of one status. */
export function findResponse(operation: OperationObject, status: number): ResponseObject | undefined {
  const response = operation.responses[status]
  if (response === undefined || !('$ref' in response)) return response
  return apiDocument.components.responses[response.$ref.slice('#/components/responses/'.length)]
}

/** An answer as the document shows it. */
export function exampleOfAnswer(
  path: string,
  method: 'get' | 'post' | 'put' | 'delete',
  status: number,
): unknown {
  const operation = apiDocument.paths[path]?.[method]
  const response = operation === undefined ? undefined : findResponse(operation, status)
  const example = response?.content?.['application/json']?.example
  if (example === undefined) throw new Error(`no example of ${method} ${path} ${status}`)
  return example
}

const validator = createValidator()
for (const [name, schema] of Object.entries(apiDocument.components.schemas)) {
  validator.addSchema(prepare(schema), idOf(name))
}
const validateFunctions = new WeakMap<object, ValidateFunction>()

/** The problem of a body, by the schema of a part of the document; undefined without one. */
export function findProblem(schema: object, value: unknown): string | undefined {
  let validate = validateFunctions.get(schema)
  if (validate === undefined) {
    validate = validator.compile(prepare(schema))
    validateFunctions.set(schema, validate)
  }
  return validate(value) ? undefined : validator.errorsText(validate.errors)
}

/**
 * Published schemas let answers have more fields, which may come one day. Here those that are not documented are a
 * mistake.
 */
function close<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((one: unknown) => close(one)) as Schema // of the same form
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, child]: [string, unknown]) => [name, close(child)]),
  )
  const isOpen = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema)
  return (isOpen ? { ...closed, additionalProperties: false } : closed) as Schema // of the same form
}

/** References as the validator knows them. */
function prepare(schema: object): object {
  const text = JSON.stringify(close(schema))
  return JSON.parse(
    text.replace(/"#\/components\/schemas\/(\w+)"/g, (_, name: string) => `"${idOf(name)}"`),
  ) as object
}

function idOf(name: string): string {
  return `schema:${name}`
}
