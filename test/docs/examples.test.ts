import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { apiDocument } from '../support/api-document.ts'
import { readDocument } from './markdown.ts'

const pages = [
  'README.md',
  'client/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The prefixes of ids: those of core/platform/ids.ts, and those that SQL statements write. */
const [, union = ''] =
  /type IdPrefix =\n((?: {2}\| '\w+'\n)+)/.exec(readDocument('core/platform/ids.ts')) ?? []
const prefixes = [...[...union.matchAll(/'(\w+)'/g)].map(([, prefix = '']) => prefix), 'evt', 'dlv']
const objectPrefixes = ['evt', 'prz', 'ord', 'cbk', 'opn', 'sed', 'grt', 'hld', 'aud', 'dlv']

/** The ids in a text, or words that look like ids: a prefix of three letters, followed by digits. */
const idsIn = (text: string) => [...text.matchAll(/\b([a-z]{3})_(?=[0-9a-f]*\d)[0-9a-f]{4,}\b/g)]

/** Paths of pages that the service has besides the documented ones, and of partners' own systems. */
const otherPaths = [
  '/credit',
  '/fulfilment',
  '/ops',
  '/ops/login',
  '/ops/logout',
  '/ops/queues',
  '/docs',
  '/openapi.json',
  '/metrics',
]
const methods = ['get', 'put', 'post', 'delete'] as const
const routes = Object.entries(apiDocument.paths).flatMap(([path, item]) =>
  methods.filter((method) => method in item).map((method) => ({ method: method.toUpperCase(), path })),
)
const partsOf = (path: string) =>
  path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((part) => part !== '')
const fits = (part: string, shown: string) => part === shown || part.startsWith('{')

/** With dots (`…/orders/{order_id}/ship`) it is the end of a path, and without them a whole path. */
function isRoute(method: string, shown: string): boolean {
  const parts = partsOf(shown.replace(/^…/, ''))
  return routes.some(({ method: has, path }) => {
    const own = partsOf(path)
    const end = shown.startsWith('…') ? own.slice(-parts.length) : own
    return (
      has === method && end.length === parts.length && end.every((part, at) => fits(part, parts[at] ?? ''))
    )
  })
}

describe('documented examples', () => {
  it('use known prefixes of ids', () => {
    expect(prefixes).to.include.members(objectPrefixes)
  })

  it('have ids of the service’s form', () => {
    const wrong = pages.flatMap((page) =>
      idsIn(readDocument(page))
        .filter(([, prefix = '']) => !prefixes.includes(prefix))
        .map(([id]) => `${page}: ${id}`),
    )
    expect(wrong).to.deep.equal([])
  })

  it('have ids of the service’s form, in the OpenAPI document too', () => {
    const found = idsIn(JSON.stringify(apiDocument))
    expect(found.length).to.be.greaterThan(20)
    expect(found.filter(([, prefix = '']) => !prefixes.includes(prefix)).map(([id]) => id)).to.deep.equal([])
  })

  it('name existing routes', () => {
    const named = pages.flatMap((page) =>
      [...readDocument(page).matchAll(/(?<=[`\n])(GET|PUT|POST|DELETE) ((?:…|\/)[^\s`]*)/g)].map(
        ([, method = '', path = '']) => ({ page, method, path }),
      ),
    )
    expect(named.length).to.be.greaterThan(60)
    const wrong = named
      .filter(({ path }) => !otherPaths.includes(path) && !path.endsWith('/…'))
      .filter(({ method, path }) => !isRoute(method, path))
    expect(wrong.map(({ page, method, path }) => `${page}: ${method} ${path}`)).to.deep.equal([])
  })

  it('call existing routes, in their curl commands', () => {
    const called = pages.flatMap((page) =>
      [
        ...readDocument(page).matchAll(
          /curl -\S+ (?:-X (\w+) )?"\$BASE_URL([^"$]*)(?:\$\w+)?"((?:\\\n|.)*)/g,
        ),
      ].map(([, method, path = '', rest = '']) => ({
        page,
        path,
        method: method ?? (rest.includes('-d ') ? 'POST' : 'GET'),
      })),
    )
    expect(called.length).to.be.greaterThan(10)
    const wrong = called.filter(({ method, path }) => !isRoute(method, path.replace(/\/$/, '/id')))
    expect(wrong.map(({ page, method, path }) => `${page}: ${method} ${path}`)).to.deep.equal([])
  })
})
