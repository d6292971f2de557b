import { expect } from 'chai'
import { casinoRights, serviceRights } from '../../api/admin/rights.ts'
import { descriptions } from '../../api/openapi/descriptions.ts'
import { operatorRoles, rightsOf } from '../../core/operator/rights.ts'
import { readDocument, readTable } from './markdown.ts'

const document = readDocument('docs/operate/operators.md')
const withoutMarks = (cell = '') => cell.replaceAll('`', '')

describe('docs/operate/operators.md', () => {
  it('has a row for every role, with its rights', () => {
    const rows = readTable(document, '## What each role may do').map(([role, rights]) => [
      withoutMarks(role),
      withoutMarks(rights),
    ])
    expect(rows).to.deep.equal(operatorRoles.map((role) => [role, rightsOf(role).join(', ')]))
  })

  it('has a row for every route, with the right that operators need', () => {
    const rows = readTable(document, '### Rights by route').map(([route, right]) => [
      withoutMarks(route),
      withoutMarks(right),
    ])
    const ofCasino = Object.entries(casinoRights).map(
      ([route, right]) => [route.replace(' ', ' /admin/casinos/:casino_id'), right] as const,
    )
    const rights = [...Object.entries(serviceRights), ...ofCasino].map(([route, right]) => [
      route.replace(/:(\w+)/g, '{$1}'),
      right,
    ])
    expect(rows).to.deep.equal(rights)
  })
})

describe('the rights of routes', () => {
  it('are for the caller’s own account where the OpenAPI document says that a session is needed', () => {
    const own = Object.entries(serviceRights).flatMap(([route, right]) => (right === 'own' ? [route] : []))
    const described = Object.entries(descriptions.admin).flatMap(([route, description]) =>
      'isForSessions' in description ? [route] : [],
    )
    expect(own).to.deep.equal(described)
  })
})
