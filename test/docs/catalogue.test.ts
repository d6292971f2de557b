import { expect } from 'chai'
import { createRoutes } from '../../api/routes.ts'
import { at, createOperator } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readBlocks, readDocument, readTable } from './markdown.ts'

const document = readDocument('docs/integrate/catalogue.md')

describe('docs/integrate/catalogue.md', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date('2030-01-15T12:00:00Z') } })
    atEnd(() => service.stop())
  })

  it('has a row for every route of the catalogue', () => {
    const routes = createRoutes(service.deps, () => false)
      .filter(({ path }) => path.startsWith('/boxes'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const rows = readTable(document, '# Catalogue').map(([method = '', path = '']) => `${method} ${path}`)
    expect(rows).to.have.members(routes)
  })

  it('shows an answer of the service, and explains each field', async () => {
    const { id, apiKey } = await service.factory.casino()
    const operator = createOperator(service.client, apiKey)
    await operator.put(`/${id}/items/bicycle`, {
      name: 'Bicycle',
      kind: 'physical',
      description: 'Red, with a bell.',
      image_url: 'https://example.com/bicycle.png',
      cashback: { amount_minor: 9_900, currency: 'EUR' },
      claim_days: 30,
    })
    await operator.put(`/${id}/items/spins`, { name: '20 free spins', kind: 'bonus' })
    await operator.put(`/${id}/boxes/gold`, {
      name: 'Gold box',
      description: 'One a day.',
      image_url: 'https://example.com/gold.png',
      access: 'limited',
      limit: { count: 1, period: 'day', time_zone: 'Europe/Malta' },
      active_until: '2999-02-01T00:00:00+01:00',
      entries: [
        { item_id: 'bicycle', weight: 1, stock: 1 },
        { item_id: 'spins', weight: 999 },
      ],
      fallback_item_id: 'spins',
    })
    await service.database.boxStock.updateMany({ data: { remaining: 0 } })
    const headers = { Authorization: `Bearer ${apiKey}` }
    const reply = await service.client.send('GET', '/boxes?player_id=42', { headers })
    const [example = ''] = readBlocks(document, 'json')
    expect(JSON.parse(example)).to.deep.equal(reply.json)
    const documented = readTable(document, '## Fields').flatMap(([names = '']) =>
      names.replaceAll('`', '').split(', '),
    )
    const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
    const answered = [...keysOf(at(reply, 'data.0')), ...keysOf(at(reply, 'data.0.prizes.0'))]
    expect(answered).to.have.length.greaterThan(20)
    // The page describes the position together with the list.
    expect(documented).to.include.members(answered.filter((name) => name !== 'position'))
    const player = readTable(document, '## What a player may open').map(([name]) => name)
    expect(player).to.have.members(keysOf(at(reply, 'data.0.player')))
  })
})
