import { describeFields, descriptionOf } from './fields.ts'
import { tags } from './description.ts'
import type { Description } from './description.ts'
import { fromJoi } from './from-joi.ts'
import { answerHeaders, requestHeaders } from './headers.ts'
import { extractNamed } from './components.ts'
import { exampleOf } from './example.ts'
import { nameObjects, pascalCase } from './name-objects.ts'
import { listOperations } from './operations.ts'
import type { Operation } from './operations.ts'
import type { OpenApiDocument, OperationObject, ParameterObject } from './openapi-types.ts'
import { describeAnswers, sharedErrors } from './answers.ts'
import { introduction } from './introduction.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'
import { describeWebhooks } from './webhooks/webhooks.ts'

/** The document of the whole API, except the pages under /ops, which are for people. */
export function createDocument(basePath: string): OpenApiDocument {
  const steps = createDocumentInSteps(basePath)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** The same, step by step: all of it takes most of a second, and a process that serves requests cannot stop for so long. */
export function* createDocumentInSteps(basePath: string): Generator<undefined, OpenApiDocument> {
  const operations = listOperations()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    yield
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) }
  }
  yield
  const { document, schemas } = extractNamed({
    paths,
    responses: sharedErrors(operations),
    webhooks: describeWebhooks(),
  })
  yield
  return {
    openapi: '3.1.1',
    info: {
      title: 'Casino rewards',
      version: '1.0.0',
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'This service' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: describeFields(document.paths),
    webhooks: describeFields(document.webhooks),
    components: {
      schemas: describeFields(schemas),
      responses: describeFields(document.responses),
      headers: answerHeaders,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A casino’s API key; for the management API one with the scope `manage`, or the service’s own.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'ops_session',
          description:
            'An operator who has signed in at `/ops/login`. Over TLS the cookie is `__Host-ops_session`. The role determines the person’s rights.',
        },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description: 'Standard Webhooks, with `webhook-id` and `webhook-timestamp` beside it.',
        },
      },
    },
  }
}

export function describeOperation(operation: Operation): OperationObject {
  const { description } = operation
  const { responses, errorCodes } = describeAnswers(operation)
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, responses),
    ...headerParameters(description),
  ]
  return {
    operationId: description.operationId,
    tags: [description.tag],
    summary: description.summary,
    description: description.description,
    ...(description.deprecated === undefined ? {} : { deprecated: description.deprecated }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(description.body === undefined ? {} : { requestBody: describeBody(description) }),
    responses,
    security: securityOf(operation),
    'x-error-codes': errorCodes,
  }
}

function securityOf({ for: caller, description }: Operation): OperationObject['security'] {
  switch (caller) {
    case 'anybody':
      return []
    case 'partners':
      return [{ signature: [] }]
    case 'casinos':
      return [{ apiKey: [] }]
    case 'operators':
      return description.isForSessions === true ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
    default:
      return caller satisfies never
  }
}

/** JSON Schema cannot express that slashes in a path are escaped. */
const pathId: JsonSchema = { type: 'string', minLength: 1, maxLength: 128 }

function pathParameters({ path }: Operation): ParameterObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    // In a path, `name` is that of a setting; in bodies, many objects have one.
    const field = name === 'name' ? 'path:name' : name
    const example = exampleOf(pathId, field)
    return { name, in: 'path', required: true, ...described(field, pathId), example }
  })
}

/** A query continues where the example of its answer ends. */
function queryParameters(
  { description: { query } }: Operation,
  responses: OperationObject['responses'],
): ParameterObject[] {
  if (query === undefined) return []
  const next = nextCursorOf(responses)
  const { properties = {}, required = [] } = fromJoi(query)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...described(name, schema),
    example: next !== undefined && cursorParameters.has(name) ? next : exampleOf(schema, name),
  }))
}

const cursorParameters: ReadonlySet<string> = new Set(['cursor', 'after'])

function nextCursorOf(responses: OperationObject['responses']): unknown {
  const { 200: answer } = responses
  if (answer === undefined || '$ref' in answer) return undefined
  const example = answer.content?.['application/json']?.example
  return typeof example === 'object' && example !== null && 'next_cursor' in example
    ? example.next_cursor
    : undefined
}

function described(
  name: string,
  schema: JsonSchema,
): Pick<ParameterObject, 'description' | 'deprecated' | 'schema'> {
  const { description = descriptionOf(name), deprecated, ...rest } = schema
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    schema: rest,
  }
}

function headerParameters({ headers = [] }: Description): ParameterObject[] {
  return headers.map((name) => {
    const { description, schema, example } = requestHeaders[name]
    return { name, in: 'header', required: false, description, schema, example }
  })
}

function describeBody(description: Description): NonNullable<OperationObject['requestBody']> {
  const schema = nameObjects(`${pascalCase(description.operationId)}Request`, bodySchema(description.body))
  const example = description.example ?? exampleOf(schema)
  return {
    required: description.isBodyOptional !== true,
    content: {
      'application/json': {
        schema: nameObjects(`${pascalCase(description.operationId)}Request`, schema),
        example,
      },
    },
  }
}

/** A body's JSON Schema: the values that the endpoint's Joi schema accepts. */
export function bodySchema(body: Description['body']): JsonSchema {
  if (body === undefined) throw new Error('no body')
  if ('validate' in body) return fromJoi(body)
  return { anyOf: body.map(({ title, schema }) => ({ title, ...fromJoi(schema) })) }
}
