import { expect } from 'chai'
import type { Prisma } from '../../../core/platform/database.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { openPlans } from '../../support/read-plans.ts'
import type { Plans } from '../../support/read-plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** Of each kind: far more than a page shows or counts. */
const many = 20_000
const actId = `act_${'0'.repeat(32)}`
const entryId = `aud_${'10000'.padStart(32, '0')}`

describe('the statements of the page of an object', () => {
  let service: TestService
  let plans: Plans
  let casinoId: string
  let path: string

  const atEnd = atEndOfSuite()
  before(async function () {
    this.timeout(240_000)
    service = await startService()
    atEnd(() => service.stop())
    const casino = await service.factory.casino()
    casinoId = casino.id
    path = `/admin/casinos/${casinoId}`
    const { database } = service
    await service.factory.prize(casinoId, { prizeId: 'often', playerId: 'ann' })
    const itemId = await service.factory.item(casinoId)
    await service.factory.box(casinoId, { boxId: 'box', entries: [{ itemId, weight: 1 }] })
    for (const statement of [
      ...endedOf('often'),
      prizesOfAnn(),
      postingsOfAnn(),
      grantsOfAnn(),
      openings(itemId),
      versions(),
      entries(itemId),
      stocks(),
    ])
      await changeAsOwner(database, statement)
    await database.$executeRaw(anAct())
    await database.$executeRaw(objectsOfAct())
    for (const statement of auditTrail()) await database.$executeRaw(statement)
    plans = await openPlans(service)
    atEnd(() => plans.close())
  })

  /** Every other row belongs to others. */
  const numbers = sql`generate_series(1, ${many}::int) AS n`
  const player = sql`CASE n % 10 WHEN 0 THEN 'ann' ELSE 'player-' || n END`

  function auditTrail(): Prisma.Sql[] {
    return [
      sql`INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome)
          SELECT 'aud_' || lpad(n::text, 32, '0'), ${casinoId}::text, now(), 'admin', 'PUT /', '{}', 'req', '200'
            FROM ${numbers}`,
      sql`INSERT INTO audit_link (casino_id, sequence, entry_id, hash)
          SELECT ${casinoId}::text, n, 'aud_' || lpad(n::text, 32, '0'), sha256(n::text::bytea) FROM ${numbers}`,
    ]
  }

  function endedOf(prizeId: string): Prisma.Sql[] {
    return [
      sql`INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, ended_at, created_at, updated_at)
          SELECT 'ord_' || lpad(n::text, 32, '0'), ${casinoId}::text, ${prizeId}::text, 'ann', 'rejected', '', now(), now(), now()
            FROM ${numbers}`,
      sql`INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, created_at, updated_at)
          SELECT 'cbk_' || lpad(n::text, 32, '0'), ${casinoId}::text, ${prizeId}::text, 'ann', 500, 'EUR', 'declined', now(), now()
            FROM ${numbers}`,
    ]
  }

  const prizesOfAnn = () => sql`
    INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, created_at, updated_at)
    SELECT ${casinoId}::text, 'prize-' || n, 'ann', 'mug', 'Mug', 'physical', 'won', now(), now() FROM ${numbers}`

  const postingsOfAnn = () => sql`
    INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
    SELECT 'ltx_' || n, 1, ${casinoId}::text, 'player_wallet', ${player}, 500, 'EUR' FROM ${numbers}`

  /** All but ann's last hundred are used up. */
  const grantsOfAnn = () => sql`
    INSERT INTO opening_grant (casino_id, id, player_id, box_id, count, used, created_at)
    SELECT ${casinoId}::text, 'grant-' || n, 'ann', 'box', 1, CASE WHEN n > ${many - 100}::int THEN 0 ELSE 1 END, now()
      FROM ${numbers}`

  /** More than are counted. */
  const openings = (itemId: string) => sql`
    WITH seeded AS (
      INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, created_at, activated_at)
      VALUES ('sed_plans', ${casinoId}::text, 'active', 'plans', '', '', '', now(), now())
    )
    INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted, prize_id,
                         request_id, opened_at, odds_hash, seed_id, nonce, client_seed)
    SELECT 'opn_' || lpad(n::text, 32, '0'), ${casinoId}::text, 'player-' || n, 1, 'box', 1, 1, ${itemId}::text, false,
           'won-' || n, 'req_' || n, now(), '', 'sed_plans', 1, ''
      FROM generate_series(1, ${2 * many}::int) AS n`

  const versions = () => sql`
    INSERT INTO box_version (casino_id, box_id, version, name, access, odds_hash)
    SELECT ${casinoId}::text, 'box', n + 1, 'Box', 'granted', repeat('0', 64) FROM ${numbers}`

  const entries = (itemId: string) => sql`
    INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight)
    SELECT ${casinoId}::text, 'box', n + 1, 1, ${itemId}::text, 1 FROM ${numbers}`

  const stocks = () => sql`
    INSERT INTO box_stock (casino_id, box_id, version, position, remaining)
    SELECT ${casinoId}::text, 'box', n, 1, 5 FROM ${numbers}`

  const anAct = () => sql`
    INSERT INTO act (id, casino_id, action, params, state, amounts, needs_approval, object_count, made_by, created_at, expires_at)
    VALUES (${actId}, ${casinoId}::text, 'order.confirm', '{}', 'previewed', '[]', false, ${many}::int, 'admin', now(), now())`

  const objectsOfAct = () => sql`
    INSERT INTO act_object (act_id, object_id, position, revision, state, code, message, settled_at)
    SELECT ${actId}, 'ord_' || lpad(n::text, 32, '0'), n, 1, made.state, made.code, made.code, made.settled_at
      FROM ${numbers}
     CROSS JOIN LATERAL (
       SELECT 'waiting' AS state, NULL AS code, NULL::timestamptz AS settled_at WHERE n % 100 <> 0
        UNION ALL
       SELECT 'refused', 'order_unknown', now() WHERE n % 100 = 0
     ) AS made`

  async function read<Data>(below: string): Promise<Data> {
    const headers = { Authorization: `Bearer ${adminApiKey}` }
    const reply = await service.client.send('GET', `${path}${below}`, { headers })
    expect(reply.status, reply.text).to.equal(200)
    return (reply.json as { data: Data }).data
  }

  it('read little more than the hundred newest orders and cashbacks of a prize, and the page says so', async () => {
    await plans.expectFewRowsRead(`${path}/prizes/often`, 300)
    const prize = await read<{ orders: { order_id: string }[]; cashbacks: { cashback_id: string }[] }>(
      '/prizes/often',
    )
    expect(prize).to.include({ has_more_orders: true, has_more_cashbacks: true })
    expect(prize.orders).to.have.lengthOf(100)
    expect(prize.orders.at(0)?.order_id).to.equal(`ord_${'19901'.padStart(32, '0')}`)
    expect(prize.orders.at(-1)?.order_id).to.equal(`ord_${'20000'.padStart(32, '0')}`)
    expect(prize.cashbacks).to.have.lengthOf(100)
    expect(prize.cashbacks.at(0)?.cashback_id).to.equal(`cbk_${'19901'.padStart(32, '0')}`)
    expect(prize.cashbacks.at(-1)?.cashback_id).to.equal(`cbk_${'20000'.padStart(32, '0')}`)
  })

  it('read as little for its timeline, which then is partial', async () => {
    await plans.expectFewRowsRead(`${path}/prizes/often/timeline`, 300)
    expect(await read('/prizes/often/timeline')).to.include({ is_partial: true })
  })

  it('read no more rows of a player than are counted of each kind, and each posting of the player’s wallet', async () => {
    await plans.expectFewRowsRead(`${path}/players/ann`, many / 10)
  })

  it('read a page of a box’s versions', async () => {
    await plans.expectFewRowsRead(`${path}/boxes/box/versions`, 200)
    await plans.expectFewRowsRead(`${path}/boxes/box/versions?limit=10`, 20)
  })

  it('read few of the versions that have had an item to find the boxes in which it can be won', async () => {
    const { id } = await service.database.item.findFirstOrThrow({ where: { casinoId } })
    await plans.expectFewRowsRead(`${path}/boxes?item_id=${id}`, 20)
    expect(await read(`/boxes?item_id=${id}`)).to.have.lengthOf(1)
  })

  it('read a page of the newest grants of the casino', async () => {
    await plans.expectFewRowsRead(`${path}/grants?limit=50`, 60)
  })

  it('read the newest openings of the casino for a box’s statistics, which then are partial', async () => {
    await plans.expectFewRowsRead(`${path}/boxes/box/statistics?version=1`, 20_001)
    expect(await read('/boxes/box/statistics?version=1')).to.include({ is_partial: true })
  })

  it('read an entry of the audit trail and its neighbours in the chain', async () => {
    await plans.expectFewRowsRead(`${path}/audit/${entryId}`, 3)
    expect(await read(`/audit/${entryId}`)).to.deep.nested.include({
      'previous.sequence': 9_999,
      'next.sequence': 10_001,
    })
  })

  it('read a page of an act’s objects, with each state', async () => {
    for (const state of ['', '&state=waiting', '&state=refused', '&state=done'])
      await plans.expectFewRowsRead(`${path}/acts/${actId}/objects?limit=50${state}`, 60)
  })
})
