import { expect } from 'chai'
import { apiDocument } from '../../support/api-document.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { needBrowser, openBrowser, openPage } from '../../support/browser.ts'
import type { WatchedPage } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { describeInLongForm } from '../../support/runs.ts'

const basePath = '/rewards/v1'

describe('the documentation page', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { BASE_PATH: basePath } })
    atEnd(() => service.stop())
  })

  it('is the target of the redirect at the root', async () => {
    for (const path of [basePath, `${basePath}/`]) {
      const { status, headers } = await service.client.send('GET', path)
      expect([status, headers.get('Location')], path).to.deep.equal([302, `${basePath}/docs`])
    }
  })

  it('has no inline script or style, and links only to files that the service serves', async () => {
    const { text, headers } = await service.client.send('GET', `${basePath}/docs`)
    expect(text).not.to.match(/<style|style=|\son\w+=|<script(?![^>]* src=)/)
    const links = [...text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).to.have.members(['docs/viewer.css', 'docs/viewer.js', 'openapi.json'])
    for (const link of links) {
      const { pathname } = new URL(link, `${service.url}${basePath}/docs`)
      expect((await service.client.send('GET', pathname)).status, link).to.equal(200)
    }
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).to.contain("default-src 'none'; script-src 'self'; style-src 'self'; ")
    expect(policy).not.to.match(/unsafe|https?:|blob:|\*/)
  })

  describeInLongForm('in a browser', () => {
    let watched: WatchedPage
    const atEndOfBrowser = atEndOfSuite()
    // One page for all: it renders every operation, which takes a busy machine long.
    before(async function () {
      const executable = needBrowser(this)
      this.timeout(180_000)
      const browser = await openBrowser(executable)
      atEndOfBrowser(() => browser.close())
      watched = await openPage(browser, 1280)
      await watched.page.goto(`${service.url}${basePath}/`)
      await watched.page.locator('.opblock').first().waitFor({ timeout: 150_000 })
    })

    it('shows every operation, keeps its own policy, and sends requests to no other host', async () => {
      const { page, requests, complaints } = watched
      const expected = [...Object.values(apiDocument.paths), ...Object.values(apiDocument.webhooks)]
      const count = expected.flatMap((methods) => Object.keys(methods)).length
      expect(await page.locator('.opblock').count()).to.equal(count)
      expect(await page.locator('.auth-wrapper, .authorization__btn').count()).to.equal(0)
      expect(complaints).to.deep.equal([])
      const paths = requests
        .filter((url) => !url.startsWith('data:'))
        .map((url) => url.slice(service.url.length))
      const files = ['/', '/docs', '/docs/viewer.css', '/docs/viewer.js', '/openapi.json']
      expect(paths).to.have.members(files.map((file) => basePath + file))
    })

    it('finds an operation by a part of its path', async () => {
      const { page, complaints } = watched
      await page.locator('.operation-filter-input').fill('prize/cash')
      await page.locator('[data-path="/box/open"]').waitFor({ state: 'detached' })
      expect(await page.locator('.opblock-summary-path[data-path^="/"]').count()).to.equal(1)
      await page.locator('[data-path="/prize/cashback"]').click()
      await page.locator('.opblock-body .responses-table').waitFor()
      expect(complaints).to.deep.equal([])
      await page.locator('[data-path="/prize/cashback"]').click()
      await page.locator('.operation-filter-input').fill('')
      await page.locator('[data-path="/box/open"]').waitFor()
    })

    it('fits a phone, also with an operation open', async () => {
      const { page } = watched
      await page.setViewportSize({ width: 375, height: 800 })
      const widthOf = () => page.evaluate('document.documentElement.scrollWidth')
      expect(await widthOf()).to.equal(375)
      await page.locator('[data-path="/prize/order"]').click()
      await page.locator('.opblock-body .responses-table').waitFor()
      expect(await widthOf()).to.equal(375)
    })
  })
})
