import { expect } from 'chai'
import { readPaths } from '../../bench/scale/read-paths.ts'
import { apiDocument, findPath } from '../support/api-document.ts'

/** The reads of the API that the benchmark leaves out, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  getOwnSession: 'needs a person who has signed in; it reads the row that each of their requests reads',
  listOwnSessions: 'needs a person who has signed in; the list is that of listOperatorSessions',
  getSigningKey: 'reads no table: the key is derived from a secret',
  checkHealth: 'reads no table',
  checkReadiness: 'reads no table of prizes: a probe',
  getMetrics: 'is measured as a scrape',
  getSecurityContact: 'a text',
  getVerificationPage: 'a file',
  getVerificationScript: 'a file',
  getVerificationStyle: 'a file',
  getOpenApiDocument: 'a file',
  redirectToDocumentation: 'a file',
  getDocumentationPage: 'a file',
  getDocumentationScript: 'a file',
  getDocumentationStyle: 'a file',
}
/** A page that begins elsewhere is read from the same index. */
const pageParameters = ['limit', 'cursor', 'after']

const reads = Object.entries(apiDocument.paths).flatMap(([template, { get }]) =>
  get === undefined ? [] : [{ template, operationId: get.operationId, parameters: get.parameters ?? [] }],
)
const measured = [...readPaths.manage, ...readPaths.play].map((path) => {
  const url = new URL(path, 'http://service')
  const template = findPath(url.pathname)?.template
  return { path, template, given: [...url.searchParams.keys()] }
})

describe('the reads that bench:scale measures', () => {
  it('are all reads of the OpenAPI document but the listed exceptions, and no others', () => {
    const unknown = measured.filter(({ template }) => !reads.some((read) => read.template === template))
    expect(unknown).to.deep.equal([])
    const left = reads.filter(({ template }) => !measured.some((one) => one.template === template))
    expect(left.map(({ operationId }) => operationId)).to.have.members(Object.keys(exceptions))
  })

  for (const { template, operationId, parameters } of reads) {
    if (operationId in exceptions) continue
    it(`have ${operationId} with each of its filters, and none that it does not have`, () => {
      const given = measured.filter((one) => one.template === template).flatMap((one) => one.given)
      const described = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      expect(described).to.include.members(given)
      expect(given).to.include.members(described.filter((name) => !pageParameters.includes(name)))
    })
  }

  it('have a name each', () => {
    const paths = measured.map(({ path }) => path)
    expect(new Set(paths).size).to.equal(paths.length)
  })
})
