import { expect } from 'chai'
import pg from 'pg'
import { createLogger } from '../../core/platform/logger.ts'
import { openDatabase } from '../../core/platform/database.ts'
import { readOutboxState } from '../../core/outbox/outbox-state.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { findChartTools } from '../support/chart-tools.ts'
import { asServiceRole, createTestDatabase } from '../support/environment.ts'
import { fieldOf } from './manifests.ts'

describe('the statement by which KEDA scales the workers', function () {
  this.timeout(300_000)
  const atEnd = atEndOfTest()

  it('returns one number, readable by the service’s role: the rows that wait for work, as outbox_depth counts them', async function () {
    const tools = await findChartTools()
    if (tools === undefined) return this.skip()
    const manifests = await tools.render('--set', 'worker.autoscaling.enabled=true')
    const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')
    const [trigger] = fieldOf(scaled?.spec, 'triggers') as object[]
    const query = String(fieldOf(trigger, 'metadata', 'query'))

    const ownerUrl = await createTestDatabase()
    const client = new pg.Client({ connectionString: asServiceRole(ownerUrl) })
    await client.connect()
    atEnd(() => client.end())
    const ask = async () => (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows
    expect(await ask()).to.deep.equal([[0]])

    // Handed over, late, awake again after a rest, and resting.
    await client.query(`
      INSERT INTO outbox (job_name, object_id, due_at, snoozed_until)
      VALUES ('a', '1', now() + interval '1 minute', NULL),
             ('a', '2', now() - interval '1 hour', NULL),
             ('a', '3', now() - interval '1 minute', now() - interval '1 minute'),
             ('a', '4', now() + interval '1 hour', now() + interval '1 hour')`)
    expect(await ask()).to.deep.equal([[3]])

    const open = openDatabase({ url: ownerUrl, poolMax: 3, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
    expect((await readOutboxState(open.database)).depth).to.equal(3)
  })
})
