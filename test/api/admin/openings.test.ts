import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, textAt } from './operator.ts'

describe('an opening in the management API', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('has the evidence that players get, and the prize, and is found by its own casino only', async () => {
    const casino = await service.factory.casino()
    const itemId = await service.factory.item(casino.id)
    const boxId = await service.factory.box(casino.id, {
      entries: [{ itemId, weight: 1 }],
      limit: { count: 1, period: 'lifetime' },
    })
    const opened = await service.client.post('/box/open', casino.apiKey, { player_id: 'ann', box_id: boxId })
    expect(opened.status, opened.text).to.equal(200)
    const openingId = textAt(opened, 'opening.id')
    const operator = createOperator(service.client, casino.apiKey)

    const shown = await operator.get(`/${casino.id}/openings/${openingId}`)
    const players = await service.client.send('GET', `/fairness/openings/${openingId}`, {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    expect(at(players, 'data.id')).to.equal(openingId)
    expect(at(shown, 'data.evidence')).to.deep.equal(at(players, 'data'))
    const prize = await operator.get(`/${casino.id}/prizes/${textAt(shown, 'data.evidence.prize_id')}`)
    expect(at(prize, 'data')).to.deep.include(at(shown, 'data.prize'))
    expect(at(shown, 'data.prize.opening_id')).to.equal(openingId)

    const other = await service.factory.casino()
    const its = createOperator(service.client, other.apiKey)
    for (const id of [openingId, 'opn_1', `opn_${'0'.repeat(32)}`, '%00']) {
      const reply = await its.get(`/${other.id}/openings/${id}`)
      expect(reply.status, id).to.equal(404)
      expect(reply.headers.get('X-Error-Code')).to.equal('opening_unknown')
    }
  })
})
