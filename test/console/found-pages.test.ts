import { expect } from 'chai'
import { createChainAudit } from '../../core/audit/chain-audit.ts'
import { createHeadMemory } from '../../core/audit/head-memory.ts'
import { createOperator } from '../api/admin/operator.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { untilTransactionsEnd } from '../support/ended-transactions.ts'
import type { TestCasino } from '../support/factory.ts'
import { itInLongForm } from '../support/runs.ts'

describe('objects of the console that have their page by the search alone', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite(async (started) => {
    world = started
    casino = await world.service.factory.casino()
  })

  /** As a worker does every few seconds. */
  async function chainEntries(): Promise<void> {
    const { database, deps } = world.service
    const { hashSecret } = deps.config
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const memory = createHeadMemory({ hashSecret, runScript: undefined, log })
    await untilTransactionsEnd(database)
    await createChainAudit({ database, hashSecret, log, memory })()
  }

  it('leads from a request to its entry in the audit trail, and from there to its neighbours in the chain', async () => {
    const { client, database } = world.service
    const operator = createOperator(client, casino.apiKey)
    const reason = 'Der Händler <b> hat gefragt'
    const requests: string[] = []
    for (const name of ['first', 'second']) {
      const put = await operator.put(`/${casino.id}/items/${name}`, { name, kind: 'none', reason })
      expect(put.status, put.text).to.equal(200)
      requests.push(put.headers.get('X-Request-Id') ?? '')
    }
    const where = { casinoId: casino.id, requestId: requests[0] ?? '', outcome: '200' }
    const entry = await database.auditEntry.findFirstOrThrow({ where })
    await chainEntries()
    const link = await database.auditLink.findFirstOrThrow({ where: { entryId: entry.id } })
    const window = await open(`/search?q=${requests[0] ?? ''}`, { role: 'viewer' })
    const { page, complaints, goTo } = window
    await page.getByRole('link', { name: requests[0] ?? '' }).click()
    await page
      .getByRole('heading', { level: 1, name: 'PUT /admin/casinos/:casino_id/items/:item_id' })
      .waitFor()
    for (const text of [reason, entry.actor, entry.id, Buffer.from(link.hash).toString('hex')]) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    expect(await page.locator('dd').filter({ hasText: /^2$/ }).count()).to.equal(1)
    await expectUsable(window, 'audit entry')
    const next = await database.auditLink.findFirstOrThrow({ where: { casinoId: casino.id, sequence: 3 } })
    await page.getByRole('link', { name: next.entryId }).click()
    await page.getByRole('link', { name: entry.id }).waitFor()
    // The list leads to the same page.
    await goTo(`/casinos/${casino.id}/audit`)
    await page
      .getByRole('row')
      .filter({ hasText: requests[0] ?? '' })
      .getByRole('link')
      .first()
      .click()
    await page.getByText(entry.id, { exact: true }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('leads to an entry of the service’s trail, for admins of all casinos', async () => {
    const window = await open('/audit')
    const { page, complaints } = window
    await page.getByRole('row').filter({ hasText: 'POST /ops/login' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'POST /ops/login' }).waitFor()
    await page.getByRole('link', { name: 'Audit trail of the service' }).last().waitFor()
    await expectUsable(window, 'audit entry of the service')
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('shows a seed by its id, without the seed itself while it is not revealed', async () => {
    const { database, deps } = world.service
    await deps.loadActiveSeeds([casino.id])
    const where = { casinoId: casino.id, state: 'active' }
    const { id, commitment } = await database.serverSeed.findFirstOrThrow({ where })
    const window = await open(`/search?q=${id}`, { role: 'viewer' })
    const { page, complaints } = window
    await page.getByRole('main').getByRole('link', { name: id }).click()
    await page.getByText(commitment, { exact: true }).waitFor()
    await page.getByText('not revealed yet').waitFor()
    await expectUsable(window, 'seed')
    expect(complaints).to.deep.equal([])
  })
})
