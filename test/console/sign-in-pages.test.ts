import { expect } from 'chai'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { needBrowser, openBrowser, openPage } from '../support/browser.ts'
import type { TestBrowser, WatchedPage } from '../support/browser.ts'
import { adminApiKey } from '../support/config.ts'
import { findBarriers, keepPicture, phonePx } from '../support/console.ts'
import { makeOperator } from '../support/ops.ts'
import { casesOf } from '../support/runs.ts'
import { startService } from '../support/service.ts'

describe('the pages in front of the console', function () {
  this.timeout(90_000)
  let browser: TestBrowser
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async function () {
    const executable = needBrowser(this)
    browser = await openBrowser(executable)
    atEnd(() => browser.close())
  })

  const expectUsable = async (watched: WatchedPage, name: string) => {
    const { page } = watched
    await keepPicture(watched, name)
    expect(await page.title(), name).to.have.length.above(5)
    expect(await page.locator('h1').count(), name).to.equal(1)
    expect(await findBarriers(watched), name).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(
      page.viewportSize()?.width,
    )
    // Browsers report refusals by their status, which are meant here.
    expect(watched.complaints.filter((text) => !text.includes('status of 4'))).to.deep.equal([])
  }

  for (const widthPx of casesOf([phonePx], [1280])) {
    it(`have no barriers, fit, and keep a refused text beside its problem: ${widthPx} pixels`, async () => {
      // Without operators, of whom the first one is set up.
      const service = await startService()
      atTestEnd(() => service.stop())
      const watched = await openPage(browser, widthPx)
      atTestEnd(() => watched.page.close())
      const { page } = watched
      const goTo = (path: string) => page.goto(`${service.url}/ops${path}`)
      const submit = () => page.locator('form button[type=submit], form button:not([type])').first().click()
      const expectProblem = async (name: string) => {
        await page.locator('[role=alert]').first().waitFor()
        await expectUsable(watched, `${name} ${widthPx}`)
      }

      await goTo('/setup')
      await expectUsable(watched, `set-up ${widthPx}`)
      const fields = await page.locator('form input:not([type=hidden])').all()
      for (const field of fields) {
        const isKey = (await field.getAttribute('name'))?.includes('key') === true
        await field.fill(isKey ? `${adminApiKey}x` : 'somebody-or-other')
      }
      await submit()
      await expectProblem('set-up refused')

      await makeOperator(service)
      await goTo('/login')
      await expectUsable(watched, `sign-in ${widthPx}`)
      await page.getByLabel('Username').fill('somebody')
      await page.getByLabel('Password').fill('a wrong password')
      await submit()
      await expectProblem('sign-in refused')
      expect(await page.getByLabel('Username').inputValue()).to.equal('somebody')

      await goTo('/invitation')
      await expectUsable(watched, `invitation ${widthPx}`)
      await page.getByLabel('Invitation').fill('opr_none')
      await page.getByLabel('New password').fill('a new password of mine')
      await submit()
      await expectProblem('invitation refused')
      expect(await page.getByLabel('Invitation').inputValue()).to.equal('opr_none')

      await goTo('/setup')
      await expectUsable(watched, `set-up that is over ${widthPx}`)
    })
  }
})
