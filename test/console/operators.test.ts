import { expect } from 'chai'
import { Secret, TOTP } from 'otpauth'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import type { TestCasino } from '../support/factory.ts'
import { cookieOf, postLogin, testPassword } from '../support/ops.ts'
import { itInLongForm } from '../support/runs.ts'

/** After this time a page has loaded its lists again. */
const nextPollMs = 15_000

describe('operators in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const open = consoleOfSuite(async (started) => {
    world = started
    casino = await world.service.factory.casino()
  })
  const usernameOf = async ({ page }: ConsolePage) =>
    (await page.locator('.account a').getAttribute('title'))?.split(',')[0] ?? ''

  it('are invited, changed and disabled by an admin, with a reason', async () => {
    const window = await open('/operators')
    const { page, complaints } = window
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Username').fill('jane doe')
    await dialog.getByLabel('Name', { exact: true }).fill('Jane <script>')
    await dialog.getByLabel('Role').selectOption('support')
    await dialog.getByLabel('Casinos').fill(casino.id)
    await dialog.getByLabel('Reason').fill('New in the team')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText('username must be').waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).to.equal('New in the team')
    await dialog.getByLabel('Username').fill('jane@example.com')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('It is shown this once.').waitFor()
    await page.getByRole('link', { name: 'jane@example.com' }).waitFor()
    await expectUsable(window, 'operators')

    await page.getByRole('link', { name: 'jane@example.com' }).click()
    await page.getByLabel('Role').selectOption('finance')
    await page.getByLabel('Reason').fill('Moved to finance')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It is saved.').waitFor()
    await expectUsable(window, 'operator')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Has left')
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    const jane = await world.service.database.operator.findFirstOrThrow({
      where: { username: 'jane@example.com' },
    })
    expect(jane).to.include({ role: 'finance', hasAllCasinos: false })
    expect(jane.disabledAt).to.be.instanceOf(Date)
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).to.deep.equal([])

    await page.getByRole('link', { name: 'Audit trail of the service' }).click()
    await page.getByText('Has left').first().waitFor()
    await expectUsable(window, 'audit trail')
  })

  itInLongForm('see where they are signed in, and end a session or sign out everywhere else', async () => {
    const window = await open('/account', { role: 'viewer' })
    const { page, complaints } = window
    const { client } = world.service
    const username = await usernameOf(window)
    const enter = async (browser: string) =>
      cookieOf(await postLogin(client, { username, password: testPassword }, { 'User-Agent': browser }))
    const [laptop, telephone] = [await enter('Old laptop <b>'), await enter('Telephone')]
    const others = [laptop, telephone, await enter('Library')]
    const stateOf = async (headers: { Cookie: string }) =>
      (await client.send('GET', '/admin/session', { headers })).status
    await page.reload()
    const rows = page.getByRole('table', { name: 'Sessions' }).locator('tbody tr')
    await rows.nth(3).waitFor()
    expect((await rows.locator('td[data-name="Browser"]').allTextContents()).slice(0, 3)).to.deep.equal([
      'Library',
      'Telephone',
      'Old laptop <b>',
    ])
    expect(await rows.nth(3).textContent()).to.contain('this session')
    await expectUsable(window, 'own sessions')

    const dialog = page.getByRole('dialog')
    await rows.nth(2).getByRole('button', { name: /^End/ }).click()
    await dialog.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('One session has ended.').waitFor()
    expect([await stateOf(laptop), await stateOf(telephone)]).to.deep.equal([401, 200])
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expectUsable(window, 'signing out everywhere else')
    await dialog.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByText('2 sessions have ended.').waitFor()
    expect(await Promise.all(others.map(stateOf))).to.deep.equal([401, 401, 401])
    await rows.filter({ hasText: 'this session' }).waitFor()
    expect(await rows.getByRole('button').count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('see that an admin has ended their session, and lose nothing that they typed', async () => {
    const bob = await open(`/casinos/${casino.id}/orders`, { role: 'support', hasOwnClock: true })
    const username = await usernameOf(bob)
    await bob.page.getByRole('textbox', { name: 'Player' }).fill('a long name')
    const admin = await open('/operators')
    await admin.page.getByRole('link', { name: username }).click()
    await admin.page.getByRole('button', { name: 'End all' }).click()
    await admin.page.getByRole('dialog').getByLabel('Reason').fill('A lost laptop')
    await admin.page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await admin.page.getByRole('cell', { name: 'ended' }).waitFor()
    await bob.page.clock.fastForward(nextPollMs)
    await bob.page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await bob.page.getByRole('textbox', { name: 'Player' }).inputValue()).to.equal('a long name')
  })

  itInLongForm('see only the page for a second factor while one is required and missing', async () => {
    const window = await open(`/casinos/${casino.id}/orders`, {
      role: 'support',
      isSecondFactorRequired: true,
    })
    const { page, complaints } = window
    await page.getByText('Set up a second factor first.').waitFor()
    await expectUsable(window, 'account')
    await page.getByRole('button', { name: 'Set up' }).click()
    const secret = Secret.fromBase32((await page.locator('main .id code').textContent()) ?? '')
    await page.getByLabel('Code').fill(new TOTP({ secret }).generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await window.goTo('/account')
    await page.getByText('have an admin reset it first').waitFor()
    expect(await page.getByRole('button', { name: 'Set up' }).count()).to.equal(0)
    expect(complaints.filter((text) => !text.includes('403 (Forbidden)'))).to.deep.equal([])
  })

  itInLongForm('change their own password when they know the current one', async () => {
    const window = await open('/account', { role: 'viewer' })
    const { page } = window
    expect(await page.getByRole('link', { name: 'Operators' }).count()).to.equal(0)
    await page.getByLabel('Present password').fill('not this one at all')
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Present password').fill(testPassword)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('It is changed.').waitFor()
  })
})
