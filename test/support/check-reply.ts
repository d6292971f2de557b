import { apiDocument, findPath, findProblem, findResponse } from './api-document.ts'
import type { Reply } from './client.ts'

/**
 * Throws when an answer is not as the OpenAPI document says: an undocumented status, error code, field or header fails
 * the test that got it. The dashboard's pages are for people and not in the document.
 */
export function checkReply(method: string, path: string, reply: Reply): void {
  if (path === '/ops' || path.startsWith('/ops/')) return
  const problems = findProblems(method, path, reply)
  if (problems.length === 0) return
  const body = reply.text.slice(0, 2_000)
  throw new Error(
    `${method} ${path} answered ${reply.status} otherwise than documented: ${problems.join('; ')}\n${body}`,
  )
}

function findProblems(method: string, path: string, reply: Reply): string[] {
  const found = findPath(path)
  if (found === undefined) return findProblemsOfRefusal(reply, 404, 'route_unknown')
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = found.operations[asked]
  if (operation === undefined) {
    const documented = Object.keys(found.operations).map((name) => name.toUpperCase())
    const allowed = new Set([...documented, ...(documented.includes('GET') ? ['HEAD'] : [])])
    const stated = new Set((reply.headers.get('allow') ?? '').split(', '))
    const differs = reply.status === 405 && [...allowed].sort().join() !== [...stated].sort().join()
    return [
      ...findProblemsOfRefusal(reply, 405, 'method_not_allowed'),
      ...(differs ? [`Allow is ${[...stated].join()}`] : []),
    ]
  }
  const response = findResponse(operation, reply.status)
  if (response === undefined) return ['the status is not documented']
  const code = reply.headers.get('x-error-code')
  const codes = operation['x-error-codes'][reply.status]
  return [
    ...(code === null || codes?.includes(code) === true ? [] : [`the error code ${code} is not documented`]),
    ...findHeaderProblems(reply, Object.keys(response.headers)),
    ...findBodyProblems(reply, response.content ?? {}, method === 'HEAD'),
  ]
}

/** Refusals of every path, documented in the introduction. A key in the URL is told of before anything else. */
function findProblemsOfRefusal(reply: Reply, status: number, code: string): string[] {
  const stated = `${reply.status} ${reply.headers.get('x-error-code') ?? ''}`
  if (stated === '401 api_key_in_url') return []
  return [
    ...(stated === `${status} ${code}` ? [] : [`${stated} instead of ${status} ${code}`]),
    ...(reply.text === ''
      ? []
      : [findProblem({ $ref: '#/components/schemas/Error' }, reply.json) ?? []].flat()),
  ]
}

/** Of HTTP itself and of browsers' safety; this interface says nothing about them. */
const generalHeaders =
  /^(content-(type|length|encoding|security-policy)|date|connection|keep-alive|transfer-encoding|vary|x-content-type-options|x-frame-options|referrer-policy|strict-transport-security|cross-origin-.*|cache-control)$/

function findHeaderProblems({ headers }: Reply, documented: readonly string[]): string[] {
  const known = new Map(
    Object.entries(apiDocument.components.headers)
      .filter(([name]) => documented.includes(name))
      .map(([name, header]) => [name.toLowerCase(), header]),
  )
  const undocumented = [...headers.keys()].filter((name) => !known.has(name) && !generalHeaders.test(name))
  const wrong = [...known].flatMap(([name, { required, schema }]) => {
    const value = headers.get(name)
    if (value === null) return required === true ? [`${name} is missing`] : []
    const problem = findProblem(schema, value)
    return problem === undefined ? [] : [`${name}: ${problem}`]
  })
  return [...undocumented.map((name) => `the header ${name} is not documented`), ...wrong]
}

function findBodyProblems(
  reply: Reply,
  content: Readonly<Record<string, { schema: object }>>,
  isHead: boolean,
): string[] {
  const [documented] = Object.entries(content)
  if (documented === undefined) return reply.text === '' ? [] : ['a body is not documented']
  if (isHead) return []
  const [type, { schema }] = documented
  const given = reply.headers.get('content-type') ?? 'none'
  const isJson = type === 'application/json'
  const isOfType = isJson ? /^application\/json(; charset=utf-8)?$/.test(given) : given === type
  const problem = findProblem(schema, isJson ? reply.json : reply.text)
  return [
    ...(isOfType ? [] : [`the content type ${given} is not documented`]),
    ...(problem === undefined ? [] : [problem]),
  ]
}
