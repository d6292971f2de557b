import { expect } from 'chai'
import { createOperator } from '../api/admin/operator.ts'
import { firstIdAt, newId } from '../../core/platform/ids.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { itInLongForm } from '../support/runs.ts'

const years = ['2027', '2028', '2029']
const timeOf = (year: string) => new Date(`${year}-06-01T12:00:00Z`)

describe('the filters by time in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const deliveryIds: string[] = []
  const open = consoleOfSuite(async (started) => {
    world = started
    casino = await world.service.factory.casino()
    const operator = createOperator(world.service.client, casino.apiKey)
    const put = await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: 'https://crm.example.com/' })
    expect(put.status, put.text).to.equal(201)
    for (const year of years) await makeRows(year)
  })

  /** An entry in both audit trails and a delivery, each of a year. */
  async function makeRows(year: string): Promise<void> {
    const { database, factory } = world.service
    const at = timeOf(year)
    for (const casinoId of [casino.id, '']) {
      const what = {
        actor: `actor of ${year}`,
        action: 'PUT /',
        params: '{}',
        requestId: 'x',
        outcome: '200',
      }
      await database.auditEntry.create({ data: { ...what, id: newId('aud', at), casinoId, at } })
    }
    const { prizeId } = await factory.prize(casino.id)
    const event = await database.event.findFirstOrThrow({ where: { casinoId: casino.id, objectId: prizeId } })
    const id = firstIdAt('dlv', at).padEnd(36, '0')
    const of = { casinoId: casino.id, endpointId: 'crm', eventId: event.id, objectType: 'prize' }
    const data = { ...of, id, objectId: prizeId, sequence: 1, state: 'failed', createdAt: at, updatedAt: at }
    await database.webhookDelivery.create({ data })
    deliveryIds.push(id)
  }

  itInLongForm('narrow both audit trails down to a time, which is part of the address', async () => {
    const window = await open('/audit')
    const { page, complaints, goTo } = window
    for (const path of ['/audit', `/casinos/${casino.id}/audit`]) {
      await goTo(path)
      for (const year of years) await page.getByText(`actor of ${year}`).waitFor()
      await page.getByLabel('From').fill('2028-01-01')
      await page.getByLabel('Before').fill('2028-12-31T23:59:59+01:00')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByText('actor of 2027').waitFor({ state: 'detached' })
      await page.getByText('actor of 2028').waitFor()
      expect(await page.getByText(/actor of/).allTextContents()).to.deep.equal(['actor of 2028'])
      const { searchParams } = new URL(page.url())
      expect([...searchParams]).to.deep.equal([
        ['created_from', '2028-01-01'],
        ['created_until', '2028-12-31T23:59:59+01:00'],
      ])
      await page.reload()
      await page.getByText('actor of 2028').waitFor()
      expect(await page.getByLabel('From').inputValue()).to.equal('2028-01-01')
    }
    await expectUsable(window, 'audit trail of a time')
    expect(complaints).to.deep.equal([])
  })

  it('say beside the field what is wrong with a time, and keep it', async () => {
    const window = await open(`/casinos/${casino.id}/audit?created_from=yesterday&created_until=2028-01-01`)
    const { page, complaints } = window
    await page.locator('label', { hasText: 'From' }).getByText('Write a date or a time').waitFor()
    expect(await page.getByLabel('From').inputValue()).to.equal('yesterday')
    await expectUsable(window, 'audit trail of a wrong time')
    await page.getByLabel('From').fill('2028-02-01')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.locator('label', { hasText: 'Before' }).getByText('This is before the beginning').waitFor()
    expect(await page.getByLabel('Before').inputValue()).to.equal('2028-01-01')
    expect(await page.getByText(/actor of/).count()).to.equal(0)
    // A day that the calendar lacks is refused by the service.
    await page.getByLabel('From').fill('2028-02-30')
    await page.getByLabel('Before').fill('')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('alert').getByText('created_from must be a time').waitFor()
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).to.deep.equal([])
  })

  itInLongForm('narrow the deliveries of an endpoint down, also beside their state', async () => {
    const { page, complaints } = await open(`/casinos/${casino.id}/webhooks/crm`)
    const rows = page.getByRole('row').filter({ hasText: 'prize.won' })
    await rows.nth(years.length - 1).waitFor()
    await page.getByLabel('From').fill('2028-01-01')
    await page.getByLabel('State').selectOption('failed')
    await rows.nth(years.length - 1).waitFor({ state: 'detached' })
    await rows.nth(1).waitFor()
    expect(await rows.count()).to.equal(2)
    await page.getByLabel('State').selectOption('delivered')
    await page.getByText('No deliveries fit.').waitFor()
    expect(new URL(page.url()).search).to.equal('?state=delivered&created_from=2028-01-01')
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('lead from a delivery that was searched for to its time at the endpoint', async () => {
    const [, id = ''] = deliveryIds
    const { page, complaints } = await open(`/search?q=${id}`)
    await page.getByRole('link', { name: 'crm' }).click()
    await page.getByRole('cell', { name: 'prize.won' }).waitFor()
    expect(await page.getByRole('cell', { name: 'prize.won' }).count()).to.equal(1)
    expect(new URL(page.url()).searchParams.get('created_from')).to.equal(timeOf('2028').toISOString())
    expect(complaints).to.deep.equal([])
  })
})
