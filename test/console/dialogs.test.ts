import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { at, createOperator } from '../api/admin/operator.ts'
import { placeOrders } from '../support/acts.ts'
import { consoleOfSuite } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { testPassword } from '../support/ops.ts'
import { casesOf, itInLongForm } from '../support/runs.ts'

describe('a dialog of the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  let itemPath: string
  const open = consoleOfSuite((started) => {
    world = started
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
    itemPath = `/casinos/${casino.id}/items/${await world.service.factory.item(casino.id)}`
  })
  const buttonIn = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true })
  const dialogOf = ({ page }: ConsolePage) => page.getByRole('dialog')
  /** The text of the element that has the focus. */
  const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
  const problemBeside = (field: Locator) => field.locator('xpath=..').locator('.problem').innerText()

  const carryOut = async (window: ConsolePage) => {
    await dialogOf(window).getByLabel('Reason').fill('A test')
    await buttonIn(dialogOf(window), 'Save').click()
  }
  const ends = casesOf<[name: string, end: (window: ConsolePage) => Promise<void>]>(
    [['the key Escape', ({ page }) => page.keyboard.press('Escape')]],
    [
      ['being carried out', carryOut],
      ['its button to cancel', (window) => buttonIn(dialogOf(window), 'Cancel').click()],
      ['its cross', (window) => buttonIn(dialogOf(window), 'Close').click()],
    ],
  )
  for (const [name, end] of ends) {
    it(`gives the focus back to the button that opened it when it ends by ${name}`, async () => {
      const window = await open(itemPath)
      const { page } = window
      await buttonIn(page, 'Change').press('Enter')
      await dialogOf(window).waitFor()
      await end(window)
      await dialogOf(window).waitFor({ state: 'detached' })
      expect(await focusedText(page)).to.equal('Change')
    })
  }

  itInLongForm('gives the focus to the heading when the button that opened it is gone', async () => {
    const [orderId = ''] = await placeOrders(world.service, casino, 1)
    const window = await open(`/casinos/${casino.id}/orders/${orderId}`)
    const { page } = window
    await buttonIn(page, 'Confirm').press('Enter')
    await dialogOf(window).getByLabel('Reason').fill('Checked')
    await buttonIn(dialogOf(window), 'Confirm').click()
    await buttonIn(page, 'Confirm').waitFor({ state: 'detached' })
    expect(await page.locator('h1').textContent()).to.equal(await focusedText(page))
  })

  it('keeps everything typed when the service asks for a better reason, and says so beside the field', async () => {
    const [orderId = ''] = await placeOrders(world.service, casino, 1)
    const window = await open(itemPath)
    const { page, goTo } = window
    const dialog = dialogOf(window)
    await buttonIn(page, 'Change').click()
    await dialog.getByLabel('Name', { exact: true }).fill('Blue mug')
    await dialog.getByLabel('Reason').fill('  ')
    await buttonIn(dialog, 'Save').click()
    await dialog.getByText('reason is required', { exact: true }).waitFor()
    expect(await problemBeside(dialog.getByLabel('Reason'))).to.equal('reason is required')
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Blue mug')
    expect(await page.evaluate('document.activeElement.name')).to.equal('reason')

    await goTo(`/casinos/${casino.id}/orders/${orderId}`)
    await buttonIn(page, 'Hold').click()
    await dialog.getByLabel('What it is held for').selectOption('fraud_risk')
    await dialog.getByLabel('Reason').fill('  ')
    await buttonIn(dialog, 'Hold').click()
    await dialog.getByText('reason is required', { exact: true }).waitFor()
    expect(await problemBeside(dialog.getByLabel('Reason'))).to.equal('reason is required')
    expect(await dialog.getByLabel('What it is held for').inputValue()).to.equal('fraud_risk')
  })

  itInLongForm('keeps everything typed when the state of the object has a conflict with it', async () => {
    const window = await open('/operators')
    const dialog = dialogOf(window)
    const username = (await window.page.locator('.account a').getAttribute('title'))?.split(',')[0] ?? ''
    await buttonIn(window.page, 'Invite').click()
    const texts = { Username: username, Name: 'Jane', Casinos: casino.id, Reason: 'New' }
    for (const [label, text] of Object.entries(texts)) {
      await dialog.getByLabel(label, { exact: label === 'Name' }).fill(text)
    }
    await dialog.getByLabel('Role').selectOption('finance')
    const answer = window.page.waitForResponse((response) => response.request().method() === 'POST')
    await buttonIn(dialog, 'Invite').click()
    expect((await answer).status()).to.equal(409)
    await dialog.getByRole('alert').waitFor()
    for (const [label, text] of Object.entries(texts)) {
      expect(await dialog.getByLabel(label, { exact: label === 'Name' }).inputValue(), label).to.equal(text)
    }
    expect(await dialog.getByLabel('Role').inputValue()).to.equal('finance')
  })

  /** Ends all sessions of the person in the window, as another admin or the person elsewhere does. */
  const endSessionsOf = async ({ page }: ConsolePage) => {
    const username = (await page.locator('.account a').getAttribute('title'))?.split(',')[0] ?? ''
    const { count } = await world.service.database.operatorSession.updateMany({
      where: { operator: { username } },
      data: { endedAt: new Date() },
    })
    expect(count).to.equal(1)
    return username
  }
  const signIn = async (page: Page, username: string) => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await buttonIn(page, 'Sign in').click()
  }

  for (const widthPx of casesOf([], [1280, 390])) {
    it(`is there with its text after the person has signed in again in another tab (${widthPx} pixels)`, async () => {
      const window = await open(itemPath, { widthPx })
      const { page, context } = window
      await buttonIn(page, 'Change').click()
      await dialogOf(window).getByLabel('Name', { exact: true }).fill('Blue mug')
      await dialogOf(window).getByLabel('Reason').fill('It is blue')
      const username = await endSessionsOf(window)
      await buttonIn(dialogOf(window), 'Save').click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
      expect(await window.findBarriers()).to.deep.equal([])
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in (new tab)' }).click(),
      ])
      await signIn(tab, username)
      await tab.getByRole('heading', { name: 'About the item' }).waitFor()
      expect(tab.url(), 'the same page').to.equal(page.url())
      await buttonIn(page, 'I have signed in: continue').click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' })
      expect(await dialogOf(window).getByLabel('Reason').inputValue()).to.equal('It is blue')
      await buttonIn(dialogOf(window), 'Save').click()
      await page.getByRole('heading', { level: 1, name: 'Blue mug' }).waitFor()
    })
  }

  itInLongForm(
    'leads to the form to sign in, and back to its page, when the page is loaded without a session',
    async () => {
      const window = await open(itemPath)
      const { page, complaints } = window
      await buttonIn(page, 'Change').click()
      const url = page.url()
      const username = await endSessionsOf(window)
      await page.reload()
      await signIn(page, username)
      await page.getByRole('heading', { name: 'About the item' }).waitFor()
      expect(page.url()).to.equal(url)
      expect(complaints).to.deep.equal([])
    },
  )

  itInLongForm('stays under the way to sign in after the person has signed out in another tab', async () => {
    const window = await open(itemPath)
    const { page, context, complaints } = window
    await buttonIn(page, 'Change').click()
    const tab = await context.newPage()
    await tab.goto(page.url())
    await buttonIn(tab, 'Sign out').click()
    await tab.getByLabel('Username').waitFor()
    await dialogOf(window).getByLabel('Reason').fill('It is blue')
    await buttonIn(dialogOf(window), 'Save').click()
    await page.getByRole('link', { name: 'Sign in (new tab)' }).click({ trial: true })
    // At the second one browsers close a dialog, even if the page prevents it.
    for (let i = 0; i < 2; i++) await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Sign in (new tab)' }).click({ trial: true })
    expect(complaints.filter((text) => !text.includes('401 (Unauthorized)'))).to.deep.equal([])
  })

  it('refuses a text of 10,000 characters beside its field, and keeps it', async () => {
    const window = await open(itemPath)
    const dialog = dialogOf(window)
    const long = 'x'.repeat(10_000)
    await buttonIn(window.page, 'Change').click()
    for (const [label, exact] of [
      ['Name', true],
      ['Reason', false],
    ] as const) {
      const field = dialog.getByLabel(label, { exact })
      const before = await field.inputValue()
      await dialog.getByLabel('Reason').fill('A test')
      await field.focus()
      await field.press('Control+A')
      await window.page.keyboard.insertText(long)
      await buttonIn(dialog, 'Save').click()
      await dialog.locator('.field .problem').waitFor()
      expect(await problemBeside(field), label).to.match(/\b(200|500)\b/)
      expect((await field.inputValue()).length, label).to.equal(long.length)
      await field.fill(before)
    }
    const item = await createOperator(world.service.client, casino.apiKey).get(
      itemPath.replace('/casinos', ''),
    )
    expect(at(item, 'data.revision')).to.equal(1)
  })
})
