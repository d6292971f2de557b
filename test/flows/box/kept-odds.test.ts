import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { sql } from '../../../core/platform/sql.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the odds of a published version', () => {
  let service: TestService
  let casino: TestCasino
  let itemId: string
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ log })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    itemId = await service.factory.item(casino.id)
  })

  const makeBox = () =>
    service.factory.box(casino.id, {
      entries: [{ itemId, weight: 1 }],
      limit: { count: 100, period: 'lifetime' },
    })
  const open = async (boxId: string) =>
    (await service.client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: boxId })).status
  const addEntry = (boxId: string) => sql`
    INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight)
    VALUES (${casino.id}, ${boxId}, 1, 2, ${itemId}, 1000000)`

  it('cannot be extended with another entry: the database refuses it', async () => {
    const boxId = await makeBox()
    const refusal = await service.database.$executeRaw(addEntry(boxId)).catch((error: unknown) => error)
    expect(String((refusal as Error).cause)).to.include('an entry is refused')
    expect(await open(boxId)).to.equal(200)
  })

  it('are not drawn from after somebody has changed them in the database, while other boxes are', async () => {
    const [changed, other] = [await makeBox(), await makeBox()]
    await changeAsOwner(service.database, addEntry(changed))
    const statuses = await Promise.all([open(changed), open(other), open(changed), open(other)])
    expect(statuses).to.deep.equal([500, 200, 500, 200])
    expect(lines.join('')).to.include(
      `version 1 of the box ${changed} does not have the odds that were published`,
    )
    expect(await service.database.opening.count({ where: { boxId: changed } })).to.equal(0)
  })

  it('are read once, so that a later change in the database does not change an outcome', async () => {
    const boxId = await makeBox()
    expect(await open(boxId)).to.equal(200)
    await changeAsOwner(service.database, addEntry(boxId))
    for (let n = 0; n < 10; n++) expect(await open(boxId)).to.equal(200)
    const positions = await service.database.opening.groupBy({ by: ['position'], where: { boxId } })
    expect(positions.map(({ position }) => position)).to.deep.equal([1])
  })

  it('are compared with the currently published hash, also where they have been cached', async () => {
    const boxId = await makeBox()
    expect(await open(boxId)).to.equal(200)
    await changeAsOwner(
      service.database,
      sql`UPDATE box_version SET odds_hash = ${'0'.repeat(64)}::text WHERE box_id = ${boxId}::text`,
    )
    expect(await open(boxId)).to.equal(500)
  })
})
