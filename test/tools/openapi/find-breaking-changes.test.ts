import { expect } from 'chai'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import type { OpenApiDocument } from '../../../api/openapi/openapi-types.ts'
import { contractOf, renderContract } from '../../../tools/openapi/contract.ts'
import type { Contract } from '../../../tools/openapi/contract.ts'
import { findBreakingChanges } from '../../../tools/openapi/find-breaking-changes.ts'
import { readDocument } from '../../docs/markdown.ts'
import { apiDocument } from '../../support/api-document.ts'

const released = JSON.parse(readDocument('tools/openapi/released.json')) as Contract

/** A document's contract as a release keeps it. */
const release = (document: OpenApiDocument) => JSON.parse(renderContract(contractOf(document))) as Contract

/** The paths that are changed below. To compare all paths thirty times would take seconds. */
const changedPaths = [
  '/prize/order',
  '/healthz',
  '/admin/casinos',
  '/admin/casinos/{casino_id}/api-keys',
  '/admin/casinos/{casino_id}/items',
  '/admin/casinos/{casino_id}/items/{item_id}',
]
const someOfDocument: OpenApiDocument = {
  ...apiDocument,
  paths: Object.fromEntries(
    Object.entries(apiDocument.paths).filter(([path]) => changedPaths.includes(path)),
  ),
}
const releasedNow = release(someOfDocument)

/** The breaking changes that a change of the document makes, found in its released contract and in all of it alike. */
function breaks(change: (document: OpenApiDocument) => void): string[] {
  const changed = structuredClone(someOfDocument)
  change(changed)
  const found = findBreakingChanges(releasedNow, release(changed))
  expect(found).to.deep.equal(findBreakingChanges(someOfDocument, changed))
  return found
}

function operationOf(document: OpenApiDocument, path: string, method: 'get' | 'post' | 'put' | 'delete') {
  const operation = document.paths[path]?.[method]
  if (operation === undefined) throw new Error(`no ${method} ${path}`)
  return operation
}

/** The properties of a named schema, to be changed. */
function propertiesOf(document: OpenApiDocument, name: string): Record<string, JsonSchema> {
  const { properties } = document.components.schemas[name] ?? {}
  if (properties === undefined) throw new Error(`no properties of ${name}`)
  return properties
}

function bodyOf(document: OpenApiDocument, path: string, method: 'post' | 'put'): JsonSchema {
  const schema = operationOf(document, path, method).requestBody?.content['application/json']?.schema
  const name = schema?.$ref?.slice('#/components/schemas/'.length) ?? ''
  const named = document.components.schemas[name]
  if (named === undefined) throw new Error('no body')
  return named
}

const item = '/admin/casinos/{casino_id}/items/{item_id}'
const items = '/admin/casinos/{casino_id}/items'

describe('the released contract', () => {
  it('is kept by the current one, unless `npm run openapi:release` releases an intended change', () => {
    expect(findBreakingChanges(released, contractOf(apiDocument))).to.deep.equal([])
  })

  it('describes each path as fully as the whole document does, and shows no change where there is none', () => {
    expect(findBreakingChanges(release(apiDocument), apiDocument)).to.deep.equal([])
    expect(findBreakingChanges(apiDocument, release(apiDocument))).to.deep.equal([])
  })
})

describe('a breaking change', () => {
  const changes: Record<string, (document: OpenApiDocument) => void> = {
    'a path that is gone': (document) => delete document.paths['/prize/order'],
    'a method that is gone': (document) => delete document.paths[item]?.get,
    'a status that is gone': (document) =>
      delete operationOf(document, '/prize/order', 'post').responses['403'],
    'a parameter that is gone': (document) => {
      operationOf(document, items, 'get').parameters = []
    },
    'a parameter that is now required': (document) => {
      for (const parameter of operationOf(document, items, 'get').parameters ?? []) parameter.required = true
    },
    'a body that is now required': (document) => {
      const { requestBody } = operationOf(document, '/admin/casinos/{casino_id}/api-keys', 'post')
      if (requestBody !== undefined) requestBody.required = true
    },
    'another operation id': (document) => {
      operationOf(document, '/prize/order', 'post').operationId = 'placeOrder'
    },
    'other callers': (document) => {
      operationOf(document, '/healthz', 'get').security = [{ apiKey: [] }]
    },
    'one of several ways to prove who calls': (document) => {
      operationOf(document, '/admin/casinos', 'get').security = [{ session: [] }]
    },
    'a header that is gone': (document) => {
      const response = operationOf(document, '/prize/order', 'post').responses['200']
      if (response !== undefined && 'headers' in response) delete response.headers['Idempotency-Replayed']
    },
    'a field that is now required': (document) => {
      bodyOf(document, item, 'put').required = ['name', 'kind', 'description']
    },
    'a field that is not taken any more': (document) => {
      const { properties = {} } = bodyOf(document, item, 'put')
      bodyOf(document, item, 'put').properties = { name: properties['name'] ?? {} }
    },
    'a value that is not taken any more': (document) => {
      const { properties = {} } = bodyOf(document, item, 'put')
      bodyOf(document, item, 'put').properties = {
        ...properties,
        kind: { type: 'string', enum: ['physical'] },
      }
    },
    'a shorter text': (document) => {
      const { properties = {} } = bodyOf(document, item, 'put')
      bodyOf(document, item, 'put').properties = { ...properties, name: { type: 'string', maxLength: 10 } }
    },
    'an answer without a field': (document) => delete propertiesOf(document, 'Item')['claim_days'],
    'an answer whose field may be missing': (document) => {
      const schema = document.components.schemas['Item']
      if (schema !== undefined) schema.required = ['item_id']
    },
    'an answer with a field of another type': (document) => {
      propertiesOf(document, 'Item')['claim_days'] = { type: 'string' }
    },
    'an answer with a field that may now be null': (document) => {
      propertiesOf(document, 'Item')['name'] = { type: ['string', 'null'] }
    },
    'an answer with a value that was never there': (document) => {
      propertiesOf(document, 'Item')['kind'] = {
        type: 'string',
        enum: ['physical', 'cash', 'bonus', 'none', 'new'],
      }
    },
    'one more key in a body of the three operations': (document) => {
      propertiesOf(document, 'RecordedOrder')['more'] = { type: 'string' }
    },
  }
  for (const [name, change] of Object.entries(changes)) {
    it(`is ${name}`, () => {
      expect(breaks(change)).to.have.length.greaterThan(0)
    })
  }

  const harmless: Record<string, (document: OpenApiDocument) => void> = {
    'nothing at all': () => undefined,
    'one more path': (document) => {
      document.paths['/new'] = document.paths['/healthz'] ?? {}
    },
    'one more field of an answer': (document) => {
      propertiesOf(document, 'Item')['more'] = { type: 'string' }
    },
    'one more field that is taken': (document) => {
      const body = bodyOf(document, item, 'put')
      body.properties = { ...body.properties, more: { type: 'string' } }
    },
    'longer texts': (document) => {
      const body = bodyOf(document, item, 'put')
      body.properties = { ...body.properties, name: { type: 'string' } }
    },
    'an object that may be null in another spelling': (document) => {
      const { properties = {} } = bodyOf(document, item, 'put')
      const money = document.components.schemas['PutItemRequestCashback']
      if (money === undefined) throw new Error('no cashback')
      bodyOf(document, item, 'put').properties = {
        ...properties,
        cashback: { ...money, type: ['object', 'null'] },
      }
    },
    'a field of an answer that is never null any more': (document) => {
      propertiesOf(document, 'Item')['claim_days'] = { type: 'integer', minimum: 0, maximum: 5 }
    },
  }
  for (const [name, change] of Object.entries(harmless)) {
    it(`is not ${name}`, () => {
      expect(breaks(change)).to.deep.equal([])
    })
  }
})
