import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('the switch and the time zone of a box', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let boxes: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    boxes = `/${casino.id}/boxes`
    await operator.put(`/${casino.id}/items/7`, { name: 'Seven', kind: 'bonus' })
    await operator.put(`${boxes}/gold`, {
      name: 'Gold',
      access: 'granted',
      entries: [{ item_id: 7, weight: 1 }],
    })
  })

  it('closes the box from the moment that it is switched off until it is switched on', async () => {
    const daily = { name: 'Switched', access: 'limited', limit: { count: 9, period: 'day' } }
    await operator.put(`${boxes}/switched`, { ...daily, entries: [{ item_id: 7, weight: 1 }] })
    const open = async () => {
      const body = { player_id: 'switch', box_id: 'switched' }
      const reply = await service.client.post('/box/open', casino.apiKey, body)
      return reply.headers.get('X-Error-Code') ?? reply.status
    }
    expect(await open()).to.equal(200)
    const off = await operator.post(`${boxes}/switched/disable`)
    expect(at(off, 'data')).to.include({ box_id: 'switched', enabled: false, version: 1 })
    expect(await open()).to.equal('box_closed')
    const published = await operator.put(`${boxes}/switched`, {
      ...daily,
      entries: [{ item_id: 7, weight: 2 }],
    })
    expect(at(published, 'data')).to.include({ enabled: false, version: 2 })
    expect(await open()).to.equal('box_closed')
    expect((await operator.post(`${boxes}/switched/disable`)).status).to.equal(200)
    expect(at(await operator.post(`${boxes}/switched/enable`), 'data.enabled')).to.equal(true)
    expect(await open()).to.equal(200)
  })

  it('works only on boxes of the casino', async () => {
    const other = await service.factory.casino()
    for (const path of [`/${other.id}/boxes/gold`, `${boxes}/never-published`]) {
      const key = path.startsWith(boxes) ? casino.apiKey : other.apiKey
      const reply = await createOperator(service.client, key).post(`${path}/disable`)
      expect(reply.headers.get('X-Error-Code')).to.equal('box_unknown')
    }
    expect((await operator.post(`${boxes}/a%00b/enable`)).status).to.equal(400)
    expect(at(await operator.get(`${boxes}/gold`), 'data.enabled')).to.equal(true)
  })

  it('accepts the names of time zones in any case, and keeps the usual spelling', async () => {
    const put = (time_zone: unknown) =>
      operator.put(`${boxes}/zoned`, {
        name: 'Zoned',
        access: 'limited',
        limit: { count: 1, period: 'week', time_zone },
        entries: [{ item_id: 7, weight: 1 }],
      })
    const names: [unknown, string][] = [
      ['pacific/AUCKLAND', 'Pacific/Auckland'],
      ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
      ['Etc/GMT+5', 'Etc/GMT+5'],
      ['utc', 'UTC'],
      ['', 'UTC'],
      [null, 'UTC'],
      [undefined, 'UTC'],
    ]
    for (const [sent, kept] of names) {
      const reply = await put(sent)
      expect(at(reply, 'data.limit'), String(sent)).to.deep.equal({
        count: 1,
        period: 'week',
        time_zone: kept,
      })
      const body = { player_id: kept, box_id: 'zoned' }
      expect((await service.client.post('/box/open', casino.apiKey, body)).status).to.be.oneOf([200, 404])
    }
    const wrong = [
      'Mars/Olympus',
      'CET',
      'EST',
      'EST5EDT',
      '+02:00',
      'UTC+2',
      '<+03>-3',
      'posix/Europe/Paris',
    ]
    const odd = [
      ' Europe/Paris',
      'Europe/Paris\0',
      'Europe/../Paris',
      'Ευρώπη/Αθήνα',
      'A/'.repeat(50),
      5,
      {},
      [],
    ]
    for (const name of [...wrong, ...odd, "Europe/Paris'", 'Europe/Paris\ud800']) {
      const reply = await put(name)
      expect(reply.status, JSON.stringify(name)).to.equal(400)
      expect(complaintsOf(reply), JSON.stringify(name)).to.deep.equal(['limit.time_zone'])
    }
  })
})
