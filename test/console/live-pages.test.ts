import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { createOperator } from '../api/admin/operator.ts'
import { placeOrders } from '../support/acts.ts'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { itInLongForm } from '../support/runs.ts'

/** After this time an open list has been loaded again. */
const nextPollMs = 15_000

/** The longest time until the page of an object that changes by itself loads it again. */
const pauseMsMax = 30_000

describe('an open page of the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite((started) => {
    world = started
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
  })

  const rowsOf = (page: Page) => page.locator('tbody tr')
  const makeBox = async (boxId: string) => {
    const { factory } = world.service
    await factory.box(casino.id, { boxId, entries: [{ itemId: await factory.item(casino.id), weight: 1 }] })
  }
  /** Notes how often the management API is asked for a path. */
  const countRequests = (page: Page, path: string) => {
    const counted = { count: 0, answered: 0 }
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === path) counted.count += 1
    })
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname === path) counted.answered += 1
    })
    return counted
  }
  /** Makes the page believe that its tab has gone to the background, or has come back. */
  const setHidden = (page: Page, isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${String(isHidden)} });
       document.dispatchEvent(new Event('visibilitychange'))`,
    )

  it('counts new orders without moving the shown ones, and shows them when it is asked to', async () => {
    const [old = ''] = await placeOrders(world.service, casino, 1)
    const window = await open(`/casinos/${casino.id}/orders`, { hasOwnClock: true })
    const { page, complaints } = window
    await page.getByRole('link', { name: old }).waitFor()
    const placeBefore = await rowsOf(page).first().boundingBox()
    const added = await placeOrders(world.service, casino, 2)
    await page.clock.fastForward(nextPollMs)
    const changes = page.getByRole('button', { name: '2 new: show' })
    await changes.waitFor()
    expect(await rowsOf(page).count()).to.equal(1)
    expect(await rowsOf(page).first().boundingBox()).to.deep.equal(placeBefore)
    await expectUsable(window, 'list with changes')
    await changes.click()
    await page.getByRole('link', { name: added[0] ?? '' }).waitFor()
    expect(await rowsOf(page).count()).to.equal(3)
    expect(await rowsOf(page).last().textContent()).to.contain(old)
    expect(await changes.count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('counts new rows of a list that is sorted by name, wherever they belong', async () => {
    await makeBox('a')
    await makeBox('c')
    const { page } = await open(`/casinos/${casino.id}/boxes`, { hasOwnClock: true })
    await makeBox('b')
    await makeBox('d')
    await page.clock.fastForward(nextPollMs)
    const changes = page.getByRole('button', { name: '2 new: show' })
    await changes.waitFor()
    expect(await rowsOf(page).count()).to.equal(2)
    await changes.click()
    await changes.waitFor({ state: 'detached' })
    const ids = await page.locator('td[data-name="Id"]').allTextContents()
    expect(ids).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('shows the current state of a listed order in its place', async () => {
    const [first = '', second = ''] = await placeOrders(world.service, casino, 2)
    const { page } = await open(`/casinos/${casino.id}/orders`, { hasOwnClock: true })
    const shown = await rowsOf(page).allTextContents()
    const held = await createOperator(world.service.client, casino.apiKey).post(
      `/${casino.id}/orders/${first}/hold`,
      { hold_reason: 'customs', reason: 'In between' },
    )
    expect(held.status, held.text).to.equal(200)
    await page.clock.fastForward(nextPollMs)
    await rowsOf(page).filter({ hasText: first }).getByText('held').waitFor()
    const isFirst = (text = '') => text.includes(first)
    expect((await rowsOf(page).allTextContents()).map(isFirst)).to.deep.equal(shown.map(isFirst))
    expect(await rowsOf(page).filter({ hasText: second }).getByText('held').count()).to.equal(0)
  })

  itInLongForm(
    'says that a list is not up to date, and keeps its rows, while the service does not answer',
    async () => {
      await placeOrders(world.service, casino, 1)
      const window = await open(`/casinos/${casino.id}/orders`, { hasOwnClock: true })
      const { page } = window
      await page.route(/\/admin\/.*\/orders/, (route) => route.abort())
      await page.clock.fastForward(nextPollMs)
      const problem = page.getByText('This list is not up to date: The service cannot be reached.')
      await problem.waitFor()
      expect(await rowsOf(page).count()).to.equal(1)
      await expectUsable(window, 'list that is not up to date')
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Try again' }).click()
      await problem.waitFor({ state: 'detached' })
      expect(await rowsOf(page).count()).to.equal(1)
    },
  )

  itInLongForm(
    'asks for nothing while its tab is hidden, and is brought up to date when it is looked at again',
    async () => {
      await placeOrders(world.service, casino, 1)
      const { page } = await open(`/casinos/${casino.id}/orders`, { hasOwnClock: true })
      const asked = countRequests(page, `/admin/casinos/${casino.id}/orders`)
      await page.clock.fastForward(nextPollMs)
      await eventually('it polls', () => asked.count > 0)
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      await setHidden(page, true)
      const before = asked.count
      for (let round = 0; round < 5; round++) await page.clock.runFor(nextPollMs)
      expect(asked.count).to.equal(before)
      await placeOrders(world.service, casino, 1)
      await setHidden(page, false)
      await page.getByRole('button', { name: '1 new: show' }).waitFor()
      expect(asked.count).to.equal(before + 1)
    },
  )

  itInLongForm(
    'asks for an object more and more seldom while it stays as it is, and not at all in a hidden tab',
    async () => {
      const [orderId = ''] = await placeOrders(world.service, casino, 1)
      const confirm = `/${casino.id}/orders/${orderId}/confirm`
      const reply = await createOperator(world.service.client, casino.apiKey).post(confirm, {
        reason: 'Checked',
      })
      expect(reply.status, reply.text).to.equal(200)
      const { page } = await open(`/casinos/${casino.id}/orders/${orderId}`, { hasOwnClock: true })
      const asked = countRequests(page, `/admin/casinos/${casino.id}/orders/${orderId}`)
      for (let second = 0; second < 60; second++) {
        await page.clock.runFor(1_000)
        await eventually('the service has answered', () => asked.count === asked.answered)
      }
      expect(asked.count).to.be.within(3, 8)
      await setHidden(page, true)
      const whenHidden = asked.count
      await page.clock.fastForward(3_600_000)
      expect(asked.count).to.equal(whenHidden)
    },
  )

  itInLongForm('lets a dialog act on the object as it was when the dialog was opened', async () => {
    const [orderId = ''] = await placeOrders(world.service, casino, 1)
    const script = createOperator(world.service.client, casino.apiKey)
    const path = `/${casino.id}/orders/${orderId}`
    expect((await script.post(`${path}/confirm`, { reason: 'Checked' })).status).to.equal(200)
    const { page } = await open(`/casinos/${casino.id}/orders/${orderId}`, {
      role: 'support',
      hasOwnClock: true,
    })
    await page.getByRole('button', { name: 'Cancel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The player asks')
    expect(
      (await script.post(`${path}/hold`, { hold_reason: 'customs', reason: 'Between' })).status,
    ).to.equal(200)
    await page.clock.fastForward(30_000)
    await page.getByText('Between').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByText('The object has changed since revision').waitFor()
  })
})

describe('the page of an order in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  const open = consoleOfSuite((started) => {
    world = started
    world.service.startWorker()
  })

  it('shows by itself what a worker does after an action', async () => {
    const casino = await world.service.factory.casino()
    const [orderId = ''] = await placeOrders(world.service, casino, 1)
    const { page } = await open(`/casinos/${casino.id}/orders/${orderId}`, {
      role: 'support',
      hasOwnClock: true,
    })
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByLabel('Reason').fill('Address checked')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    const state = page.locator('.title .state')
    await world.service.drain()
    await page.clock.fastForward(pauseMsMax)
    await state.getByText('submitted').waitFor()
  })
})
