import { expect } from 'chai'
import { at, createOperator } from '../api/admin/operator.ts'
import { placeOrders } from '../support/acts.ts'
import { consoleOfSuite } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { adminApiKey } from '../support/config.ts'
import type { TestCasino } from '../support/factory.ts'
import { makeOperator } from '../support/ops.ts'
import { itInLongForm } from '../support/runs.ts'

describe('text typed in the console about an object that another operator changes', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite((started) => {
    world = started
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
  })

  const openOrder = async (orderId: string) => {
    const window = await open(`/casinos/${casino.id}/orders/${orderId}`, { role: 'support' })
    return { page: window.page, dialog: window.page.getByRole('dialog') }
  }
  const script = () => createOperator(world.service.client, casino.apiKey)
  const hold = async (orderId: string) => {
    const held = await script().post(`/${casino.id}/orders/${orderId}/hold`, {
      hold_reason: 'customs',
      reason: 'In between',
    })
    expect(held.status, held.text).to.equal(200)
  }

  it('is in the correction of an address again after a look at the order, and can be sent then', async () => {
    const [orderId = ''] = await placeOrders(world.service, casino, 1)
    const { page, dialog } = await openOrder(orderId)
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    const texts = [
      ['Name', 'Ada Lovelace'],
      ['Street', '1 New Street\nback yard'],
      ['Postal code', '1010'],
      ['City', 'Vienna'],
      ['Country', 'Austria'],
      ['Notes', 'Ring twice.'],
      ['Reason', 'She has moved'],
    ] as const
    for (const [label, text] of texts) await dialog.getByLabel(label).fill(text)
    await hold(orderId)
    await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
    await dialog.getByText('The object has changed since').waitFor()
    await dialog.getByRole('button', { name: 'Show how it is now' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('In between').waitFor()
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    for (const [label, text] of texts) {
      expect(await dialog.getByLabel(label).inputValue(), label).to.equal(text)
    }
    await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const order = await script().get(`/${casino.id}/orders/${orderId}`)
    expect(at(order, 'data.delivery.additional_notes')).to.equal('Ring twice.')
    // A form that was sent is not kept.
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    expect(await dialog.getByLabel('Reason').inputValue()).to.equal('')
  })

  itInLongForm(
    'is in the dialog of an action again after a look at the object, and in no other one',
    async () => {
      const [orderId = ''] = await placeOrders(world.service, casino, 1)
      const { page, dialog } = await openOrder(orderId)
      await page.getByRole('button', { name: 'Reject' }).click()
      await dialog.getByLabel('The prize').selectOption('becomes void')
      await dialog.getByLabel('Reason').fill('Ordered by mistake')
      await hold(orderId)
      await dialog.getByRole('button', { name: 'Reject' }).click()
      await dialog.getByRole('button', { name: 'Show how it is now' }).click()
      await page.getByText('In between').waitFor()
      await page.getByRole('button', { name: 'Confirm' }).click()
      expect(await dialog.getByLabel('Reason').inputValue()).to.equal('')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Reject' }).click()
      expect(await dialog.getByLabel('Reason').inputValue()).to.equal('')
    },
  )

  itInLongForm('stays in the form of an operator, which replaces only what was seen', async () => {
    const { id } = await makeOperator(world.service, { role: 'viewer' })
    const window = await open(`/operators/${id}`)
    const { page } = window
    const roleOf = async () =>
      (await world.service.database.operator.findUniqueOrThrow({ where: { id } })).role
    await page.getByLabel('Name', { exact: true }).fill('Jane Miller')
    await page.getByLabel('Reason').fill('Married')
    const given = { name: 'Jane', role: 'finance', casino_ids: [casino.id], second_factor_required: true }
    const changed = await world.service.client.send('PUT', `/admin/operators/${id}`, {
      headers: { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(given),
    })
    expect(changed.status, changed.text).to.equal(200)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody has changed it meanwhile.').waitFor()
    const now = page.getByRole('region', { name: 'How it is now' })
    expect(await now.innerText())
      .to.contain('finance')
      .and.to.contain(casino.id)
    expect(await roleOf(), 'nothing was saved').to.equal('finance')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Jane Miller')
    expect(await page.getByLabel('Reason').inputValue()).to.equal('Married')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It is saved.').waitFor()
    expect(await roleOf()).to.equal('viewer')
    // The form now starts from the saved state, so the next change is not a conflict.
    expect(await now.count()).to.equal(0)
    expect(await page.getByLabel('Reason').inputValue()).to.equal('')
    await page.getByLabel('Role').selectOption('support')
    await page.getByLabel('Reason').fill('Joins the support')
    const saving = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saving).status()).to.equal(200)
    expect(await roleOf()).to.equal('support')
  })

  itInLongForm('stays in the dialog that renames a casino', async () => {
    const window = await open(`/casinos/${casino.id}`)
    const dialog = window.page.getByRole('dialog')
    await window.page.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Acme Malta')
    await dialog.getByLabel('Reason').fill('Moved')
    expect((await script().put(`/${casino.id}`, { name: 'Acme Gibraltar' })).status).to.equal(200)
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByText('Acme Gibraltar').waitFor()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Acme Malta')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await window.page.getByRole('heading', { level: 1, name: 'Acme Malta' }).waitFor()
  })

  itInLongForm(
    'is not carried out on those orders of a selection that have changed since they were selected',
    async () => {
      const [changed = '', ...others] = await placeOrders(world.service, casino, 3)
      const window = await open(`/casinos/${casino.id}/orders`, { role: 'support' })
      const { page } = window
      await page.getByRole('button', { name: 'Select the 3 of this page' }).click()
      await page.getByText('3 orders selected').waitFor()
      await hold(changed)
      await page.getByLabel('Action').selectOption('order.confirm')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText(`3 selected: ${others.length} waiting, 0 done, 1 refused`).waitFor()
      await page.getByText('The object has changed since you read it: read it again').waitFor()
    },
  )
})
