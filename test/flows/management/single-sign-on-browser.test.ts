import { expect } from 'chai'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { needBrowser, openBrowser, openPage } from '../../support/browser.ts'
import type { TestBrowser } from '../../support/browser.ts'
import { singleSignOnEnv, startIdentityProvider } from '../../support/identity-provider.ts'
import type { TestProvider } from '../../support/identity-provider.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

describe('single sign-on in a browser', () => {
  let browser: TestBrowser
  let provider: TestProvider
  let service: TestService
  let consoleUrl: string

  const atEnd = atEndOfSuite()
  const atEndOfPage = atEndOfTest()
  before(async function () {
    const executable = needBrowser(this)
    // Both have to know the other's address first.
    const target = { host: '127.0.0.1', port: 0 }
    const proxy = await startTcpProxy(target)
    atEnd(() => proxy.stop())
    consoleUrl = `http://127.0.0.1:${proxy.port}`
    // For a browser these names are two sites.
    provider = await startIdentityProvider(consoleUrl, { host: 'localhost' })
    atEnd(() => provider.stop())
    service = await startService({ env: singleSignOnEnv(provider.issuer, consoleUrl) })
    atEnd(() => service.stop())
    target.port = Number(new URL(service.url).port)
    browser = await openBrowser(executable)
    atEnd(() => browser.close())
  })

  it('ends signed in on the requested page, although the session is never sent across sites', async () => {
    provider.people.set('sub-jane', { name: 'Jane', preferred_username: 'jane', groups: ['rewards-admins'] })
    const { page, complaints } = await openPage(browser, 390)
    atEndOfPage(() => page.close())
    await page.goto(`${consoleUrl}/ops/login?to=/ops/queues`)
    await page.getByRole('link', { name: 'Single sign-on' }).click()
    await page.locator('input[name=login]').fill('sub-jane')
    expect(page.url()).to.contain(provider.issuer)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/ops/queues'))
    expect(await page.title()).to.equal('Casino rewards')
    const cookies = await page.context().cookies(consoleUrl)
    const session = cookies.find(({ name }) => name === 'ops_session')
    expect(session).to.include({ sameSite: 'Strict', httpOnly: true })
    expect(cookies.map(({ name }) => name)).not.to.include('ops_sign_on')
    expect(complaints).to.deep.equal([])
  })

  it('tells a person who is refused, on a page that keeps its own policy', async () => {
    provider.people.set('sub-nobody', { preferred_username: 'nobody', groups: [] })
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    atEndOfPage(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${consoleUrl}/ops/login/oidc`)
    await page.locator('input[name=login]').fill('sub-nobody')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).to.contain('Your account has no role here')
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
    await page.getByRole('link', { name: 'Single sign-on' }).waitFor()
    // The status of the refusal, which Chromium always mentions.
    expect(complaints.filter((text) => !text.includes('status of 403'))).to.deep.equal([])
  })
})
