import type { JsonSchema } from '../../core/shape/json-schema.ts'
import type { OpenApiDocument, OperationObject } from '../../api/openapi/openapi-types.ts'

/** The contract with callers: an OpenAPI document without its words and examples, and without our own calls. */
export interface Contract {
  paths: Record<string, Partial<Record<string, ContractOperation>>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, ContractAnswer> }
}

export interface ContractOperation {
  operationId: string
  security: OperationObject['security']
  parameters?: readonly { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, ContractAnswer | { $ref: string }>
}

export interface ContractAnswer {
  headers: Record<string, object>
  content?: Record<string, { schema: JsonSchema }>
}

/** Those of the keywords that `findExcess` compares. */
const comparedKeywords = [
  '$ref',
  'type',
  'const',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'oneOf',
] as const satisfies readonly (keyof JsonSchema)[]

/** The contract of a document, with those of its named schemas that a request or an answer has. */
export function contractOf({ paths, components }: OpenApiDocument): Contract {
  const responses = mapValues(components.responses, answerOf)
  const operations = mapValues(paths, (methods) => mapValues(methods, operationOf))
  const schemas: Record<string, JsonSchema> = {}
  const addNamed = (text: string) => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = components.schemas[name]
      if (schema === undefined) throw new Error(`no schema ${name}`)
      if (name in schemas) continue
      schemas[name] = schemaOf(schema)
      addNamed(JSON.stringify(schemas[name]))
    }
  }
  addNamed(JSON.stringify([operations, responses]))
  return { paths: operations, components: { schemas, responses } }
}

/** A line for each path, answer and schema, so that a comparison of two versions shows what has changed. */
export function renderContract({ paths, components }: Contract): string {
  const lines = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  return `{"paths":{
${lines(paths)}
},"components":{"responses":{
${lines(components.responses)}
},"schemas":{
${lines(components.schemas)}
}}}
`
}

function operationOf({ operationId, security, parameters, requestBody, responses }: OperationObject) {
  const operation: ContractOperation = {
    operationId,
    security,
    responses: mapValues(responses, (response) =>
      '$ref' in response ? { $ref: response.$ref } : answerOf(response),
    ),
  }
  if (parameters !== undefined)
    operation.parameters = parameters.map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required,
      schema: schemaOf(schema),
    }))
  if (requestBody !== undefined)
    operation.requestBody = { required: requestBody.required, content: contentOf(requestBody.content) }
  return operation
}

function answerOf({ headers, content }: ContractAnswer): ContractAnswer {
  const names = mapValues(headers, () => ({}))
  return content === undefined ? { headers: names } : { headers: names, content: contentOf(content) }
}

function contentOf(content: Record<string, { schema: JsonSchema }>) {
  return mapValues(content, ({ schema }) => ({ schema: schemaOf(schema) }))
}

function schemaOf(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = Object.fromEntries(
    comparedKeywords.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]),
  )
  if (schema.properties !== undefined) kept.properties = mapValues(schema.properties, schemaOf)
  if (schema.items !== undefined) kept.items = schemaOf(schema.items)
  if (schema.anyOf !== undefined) kept.anyOf = schema.anyOf.map(schemaOf)
  if (schema.oneOf !== undefined) kept.oneOf = schema.oneOf.map(schemaOf)
  if (typeof schema.additionalProperties === 'object')
    kept.additionalProperties = schemaOf(schema.additionalProperties)
  return kept
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}
