import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { consoleOfSuite, keepPicture, listPages, pathOf } from '../support/console.ts'
import { casesOf, itInLongForm } from '../support/runs.ts'

/** The pages of one object each. */
const objectPages = listPages().filter((page) => /:(?!casinoId)\w+|:casinoId$/.test(page))

describe('a page of the console that is still loading or cannot be loaded', function () {
  this.timeout(90_000)
  let acme: World
  const open = consoleOfSuite(async ({ service }) => {
    const casino = await service.factory.casino()
    acme = await createWorld(service, casino.id, casino.apiKey)
  })

  /** Holds the requests of the management API but for the session’s; `fail` refuses them and those that follow. */
  const holdRequests = async (page: Page, path = /\/admin\/(?!session)/) => {
    let fail = () => {}
    const failed = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(path, async (route) => {
      await failed
      await route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"message":"It is broken."}',
      })
    })
    return fail
  }

  it('is about an object on every page whose path has an id', () => {
    expect(objectPages).to.include.members(['/casinos/:casinoId', '/operators/:operatorId'])
    expect(objectPages.length).to.be.greaterThan(10)
  })

  const inShortForm = objectPages.filter((page) => page.endsWith(':orderId'))
  const others = objectPages.filter((page) => !inShortForm.includes(page))
  for (const path of casesOf(inShortForm, others)) {
    it(`has a heading and a title of its own, without barriers: ${path}`, async () => {
      const window = await open('/')
      const { page } = window
      const fail = await holdRequests(page)
      const before = page.url()
      await page.goto(before.replace(/\/$/, '') + pathOf(path, acme.ids))
      await page.locator('#menu').waitFor()
      await page.locator('.loading').first().waitFor()
      const heading = await page.getByRole('heading', { level: 1 }).textContent()
      expect(heading).to.have.length.above(3)
      expect(await page.title()).to.equal(`${heading ?? ''} – Casino rewards`)
      fail()
      await page.getByRole('alert').getByText('It is broken.').first().waitFor()
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).to.deep.equal([heading])
      expect(await page.title()).to.equal(`${heading ?? ''} – Casino rewards`)
      await keepPicture(window, `failed ${path}`)
      expect(await window.findBarriers()).to.deep.equal([])
    })
  }

  it('changes its heading and its title in one step', async () => {
    const { page } = await open('/')
    await page.addInitScript(`
      window.pairs = []
      new MutationObserver(() => {
        const heading = document.querySelector('h1')
        if (heading !== null) pairs.push([heading.textContent, document.title])
      }).observe(document, { subtree: true, childList: true, characterData: true })
    `)
    await page.goto(page.url() + pathOf('casinos/:casinoId/orders/:orderId', acme.ids))
    await page.getByText('History').waitFor()
    const pairs = await page.evaluate<[string, string][]>('pairs')
    // At least: opening, the order by its id, the order by its item.
    expect(new Set(pairs.map(([heading]) => heading)).size).to.be.greaterThan(2)
    for (const [heading, title] of pairs) expect(title).to.equal(`${heading} – Casino rewards`)
  })

  it('has a heading and a title before the session is known, and when the service does not say', async () => {
    const window = await open('/')
    const { page } = window
    const fail = await holdRequests(page, /\/admin\/session/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Opening the console' }).waitFor()
    expect(await page.title()).to.equal('Opening the console – Casino rewards')
    fail()
    await page.getByRole('heading', { level: 1, name: 'The console cannot be opened' }).waitFor()
    expect(await page.title()).to.equal('The console cannot be opened – Casino rewards')
    await keepPicture(window, 'failed session')
    expect(await window.findBarriers()).to.deep.equal([])
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Work list' }).waitFor()
  })

  itInLongForm('leaves the focus where the operator has moved it meanwhile', async () => {
    const { page } = await open('/')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/\/admin\/.*\/orders\//, async (route) => {
      await answered
      await route.continue()
    })
    await page.goto(page.url() + pathOf('casinos/:casinoId/orders/:orderId', acme.ids))
    await page.locator('#menu').waitFor()
    const search = page.getByRole('searchbox')
    await search.focus()
    answer()
    await page.getByText('History').waitFor()
    expect(await page.locator(':focus').getAttribute('type')).to.equal(await search.getAttribute('type'))
    expect(await page.locator('h1:focus').count()).to.equal(0)
  })
})
