import { expect } from 'chai'
import { listOperations } from '../../../api/openapi/operations.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the query of a read of the management API', () => {
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  const reads = listOperations().filter(
    ({ method, for: caller, description }) =>
      method === 'get' && caller === 'operators' && description.isForSessions !== true,
  )
  const get = (path: string, query: string) =>
    service.client.send('GET', `${path}?${query}`, { headers: { Authorization: `Bearer ${adminApiKey}` } })

  it('is refused when it has a parameter that the read does not know, which the error names', async () => {
    expect(reads.length).to.be.greaterThan(20)
    for (const { path } of reads) {
      const url = path.replace(':casino_id', casino.id).replaceAll(/:\w+/g, 'x')
      const reply = await get(url, 'playerid=x&Limit=1')
      expect([reply.status, reply.headers.get('x-error-code')], path).to.deep.equal([
        400,
        'parameters_invalid',
      ])
      expect(reply.json, path).to.have.property('errors').with.all.keys('playerid', 'Limit')
      expect(reply.json, path).to.have.nested.property('errors.playerid[0].error', 'unknown')
    }
  })

  it('is answered with the list of known parameters', async () => {
    const orders = await get(`/admin/casinos/${casino.id}/orders`, 'playerid=x')
    expect(orders.text).to.contain('known are limit, cursor').and.to.contain('player_id')
    const one = await get(`/admin/casinos/${casino.id}`, '__proto__=x')
    expect(one.status).to.equal(400)
    expect(one.text).to.contain('"__proto__"').and.to.contain('there are none here')
  })

  it('is refused when it has a parameter twice', async () => {
    const reply = await get(`/admin/casinos/${casino.id}/orders`, 'state=shipped&limit=1&state=delivered')
    expect(reply.status).to.equal(400)
    expect(reply.json).to.have.property('errors').with.all.keys('state')
    expect(reply.json).to.have.nested.property('errors.state[0].message', 'state must be sent once')
  })

  it('is accepted when it has only parameters that the read knows', async () => {
    const reply = await get(`/admin/casinos/${casino.id}/orders`, 'player_id=x&limit=1')
    expect(reply.json).to.deep.equal({ status: 'success', data: [] })
  })
})
