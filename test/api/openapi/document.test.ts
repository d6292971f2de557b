import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'
import { createAdminRoutes } from '../../../api/admin/routes.ts'
import { createDocument } from '../../../api/openapi/document.ts'
import { listOperations } from '../../../api/openapi/operations.ts'
import { sharedWords } from '../../../api/openapi/shared-words.ts'
import { createRoutes } from '../../../api/routes.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { apiDocument, createValidator, findProblem, findResponse } from '../../support/api-document.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { itInLongForm } from '../../support/runs.ts'

describe('the OpenAPI document', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('describes every route of the service exactly, and no others', () => {
    const routes = createRoutes(service.deps, () => false).map((route) =>
      [route.method, route.path, route.for, 'errors' in route ? route.errors : 'general'].join(' '),
    )
    const described = listOperations().map(({ method, path, for: caller, style }) =>
      [method.toUpperCase(), path, caller, style].join(' '),
    )
    expect(described).to.have.members(routes)
    expect(routes.length).to.be.greaterThan(createAdminRoutes(service.deps).length)
  })

  itInLongForm('is valid OpenAPI 3.1 and free of what a strict linter finds', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const lint = async (source: string) =>
      (await lintFromString({ source, config })).map(
        ({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer ?? 'nowhere'}`,
      )
    // The root has no page of its own: it only leads to /docs.
    const redirects = ['operation-2xx-response at #/paths/~1/get/responses']
    expect(await lint(JSON.stringify(apiDocument))).to.deep.equal(redirects)
    // The linter looks at it at all:
    const broken = structuredClone(apiDocument)
    delete broken.components.schemas['Error']
    expect((await lint(JSON.stringify(broken))).length).to.be.greaterThan(redirects.length)
  }).timeout(60_000)

  it('has an example for every body, which is valid against its schema', () => {
    const problems: string[] = []
    let bodies = 0
    for (const [path, methods] of Object.entries(apiDocument.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const responses = Object.keys(operation.responses).map((status) =>
          findResponse(operation, Number(status)),
        )
        for (const content of [operation.requestBody?.content, ...responses.map((one) => one?.content)]) {
          const json = content?.['application/json']
          if (json === undefined) continue
          bodies += 1
          const problem = findProblem(json.schema, json.example)
          if (problem !== undefined) problems.push(`${method} ${path}: ${problem}`)
        }
      }
    }
    expect(problems).to.deep.equal([])
    expect(bodies).to.be.greaterThan(500)
  })

  it('describes every field and parameter', () => {
    const nameless = new Set<string>()
    const look = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('properties' in node) {
        for (const [name, property] of Object.entries(node.properties as Record<string, object>)) {
          if (!('description' in property)) nameless.add(name)
        }
      }
      for (const child of Object.values(node)) look(child)
    }
    look(apiDocument.components)
    for (const methods of Object.values(apiDocument.paths)) {
      for (const operation of Object.values(methods)) {
        look(operation)
        for (const { name, description } of operation.parameters ?? []) {
          if (description === undefined) nameless.add(name)
        }
      }
    }
    expect([...nameless]).to.deep.equal([])
  })

  it('shares only descriptions that are used in several places', () => {
    const uses = new Map<string, number>()
    const use = (name: string, value: unknown) => {
      const word = sharedWords[name] ?? sharedWords[`path:${name}`]
      if (typeof value !== 'object' || value === null || !('description' in value)) return
      if (value.description === word?.description) uses.set(name, (uses.get(name) ?? 0) + 1)
    }
    const look = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('in' in node && 'name' in node) use(String(node.name), node)
      if ('properties' in node)
        for (const [name, one] of Object.entries(node.properties ?? {})) use(name, one)
      Object.values(node).forEach(look)
    }
    look(apiDocument)
    const words = Object.keys(sharedWords).map((name) => name.replace('path:', ''))
    expect(words.filter((name) => (uses.get(name) ?? 0) < 2)).to.deep.equal([])
  })

  it('gives each operation an unambiguous name: a verb and its object', () => {
    const operations = Object.values(apiDocument.paths).flatMap((methods) => Object.values(methods))
    const ids = operations.map(({ operationId }) => operationId)
    for (const id of ids)
      expect(id)
        .to.match(/^[a-z]+([A-Z][a-z]+)+$/)
        .and.not.match(/By[A-Z]|^post[A-Z]/)
    const inSnakeCase = ids.map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    for (const names of [ids, inSnakeCase]) expect(new Set(names).size).to.equal(operations.length)
  })

  it('names every object, so that generated clients have a type for each', () => {
    const nameless: string[] = []
    const look = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      const isNamed = /^\/components\/schemas\/\w+$/.test(place)
      if ('properties' in node && !isNamed && !place.endsWith('/properties')) nameless.push(place)
      for (const [key, child] of Object.entries(node)) {
        if (key !== 'example' && key !== 'examples') look(child, `${place}/${key}`)
      }
    }
    look(apiDocument, '')
    expect(nameless).to.deep.equal([])
    for (const name of Object.keys(apiDocument.components.schemas)) {
      expect(name).to.match(/^[A-Z][A-Za-z0-9]+$/)
    }
  })

  it('describes every operation, and lists the error codes of each answer', () => {
    let answers = 0
    const codeless: string[] = []
    for (const methods of Object.values(apiDocument.paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.description, operation.operationId).to.match(/^.{10,}\.$/s)
        for (const [status, codes] of Object.entries(operation['x-error-codes'])) {
          const { description = '' } = operation.responses[status] ?? {}
          for (const code of codes) expect(description, operation.operationId).to.contain(`\`${code}\``)
          answers += 1
        }
        for (const [status, { description = '' }] of Object.entries(operation.responses)) {
          if (Number(status) < 400 || status in operation['x-error-codes']) continue
          codeless.push(`${operation.operationId} ${status}`)
          // Without a code, the description names the fields that explain the problem.
          const { schema } = findResponse(operation, Number(status))?.content?.['application/json'] ?? {}
          const { properties = {} } =
            apiDocument.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? {}
          expect(description, operation.operationId).to.contain('no `X-Error-Code`')
          for (const [, name = ''] of description.matchAll(/`([a-z]+)` is/g)) {
            expect(properties, operation.operationId).to.have.property(name)
          }
          expect(description, operation.operationId).to.match(/`[a-z]+` is/)
        }
      }
    }
    expect(answers).to.be.greaterThan(400)
    expect(codeless).to.deep.equal(['checkReadiness 503'])
  })

  it('has bodies of the three operations with exactly the documented keys', () => {
    for (const path of ['/box/open', '/prize/order', '/prize/cashback']) {
      const operation = apiDocument.paths[path]?.post
      if (operation === undefined) throw new Error(`no ${path}`)
      for (const status of Object.keys(operation.responses)) {
        const example = findResponse(operation, Number(status))?.content?.['application/json']
        if (example === undefined) throw new Error(`no body of ${status}`)
        const { schemas } = apiDocument.components
        const validator = createValidator()
        for (const [name, schema] of Object.entries(schemas)) {
          validator.addSchema(schema, `#/components/schemas/${name}`)
        }
        const validate = validator.compile(example.schema)
        expect(validate(example.example), `${path} ${status}`).to.equal(true)
        expect(validate({ ...(example.example as object), more: 1 }), `${path} ${status}`).to.equal(false)
      }
    }
  })

  it('is public, below the base path', async () => {
    const based = await startService({ env: { BASE_PATH: '/rewards/v1' } })
    try {
      const { json } = await based.client.send('GET', '/rewards/v1/openapi.json')
      expect(json).to.deep.equal(JSON.parse(JSON.stringify(createDocument('/rewards/v1'))))
      expect(json).to.have.nested.property('servers[0].url', '/rewards/v1')
    } finally {
      await based.stop()
    }
  })
})
