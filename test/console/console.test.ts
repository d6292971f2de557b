import { expect } from 'chai'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { needBrowser } from '../support/browser.ts'
import { consoleOfSuite, keepPicture, listPages, pathOf, startConsole } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { usualBackend } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { casesOf, itInLongForm } from '../support/runs.ts'

const pages = [...listPages(), '/search?q=:playerId', '/casinos/:casinoId/no-such-page']

/** Pages that the long form alone looks at here: other files use them, or they are built like one that is seen here. */
const isSeenElsewhere = (page: string) =>
  /\/(boxes|new-box|operators|acts|webhooks|partners|items|grants|keys|cashbacks|audit|seeds|account|players)\b|^\/(casinos|search)|no-such-page$|:casinoId$/.test(
    page,
  )

describe('the console', () => {
  let world: ConsoleWorld
  let acme: World
  const atTestEnd = atEndOfTest()
  const open = consoleOfSuite(async (started) => {
    world = started
    const casino = await world.service.factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
  })

  it('shows its first page below a base path, sends requests to no other host, and keeps its own policy', async function () {
    const basePath = '/rewards/v1'
    const below = await startConsole(needBrowser(this), { env: { BASE_PATH: basePath } })
    atTestEnd(() => below.stop())
    const { page, requests, complaints } = await below.open('/')
    await page.getByRole('heading', { level: 1, name: 'Work list' }).waitFor()
    expect(complaints).to.deep.equal([])
    const own = `${below.service.url}${basePath}/`
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).to.deep.equal([])
  })

  it('has a policy without inline code, other origins or text that runs as code', async () => {
    const { page } = await open('/')
    const reply = await page.reload()
    const policy = (await reply?.allHeaders())?.['content-security-policy'] ?? ''
    expect(policy).to.contain("script-src 'self'; style-src 'self'; ").and.contain("trusted-types 'none'")
    expect(policy).not.to.match(/unsafe|https?:|blob:|\*/)
  })

  itInLongForm(
    'has the sign-in, invitation and set-up pages look as they should under their own policy',
    async () => {
      const { page, complaints } = await open('/')
      await page.context().clearCookies()
      for (const path of ['/login', '/invitation', '/setup']) {
        await page.goto(`${world.service.url}/ops${path}`)
        await page.locator('h1').waitFor()
        expect(await page.evaluate('getComputedStyle(document.body).display'), path).to.equal('grid')
      }
      expect(complaints).to.deep.equal([])
    },
  )

  it('shows the state of the service to operators of all casinos only', async () => {
    const { page, complaints } = await open('/')
    await page.getByRole('heading', { name: 'State of the service' }).waitFor()
    const queueServer = usualBackend === 'redis' ? 'Redis' : 'Queues in PostgreSQL'
    await page.getByText(queueServer, { exact: true }).waitFor()
    await page.getByRole('img', { name: /^prize order: \d+ done, 0 refused, 0 failed$/ }).waitFor()
    const queues = { name: 'Queues', exact: true }
    expect(await page.getByRole('link', queues).count()).to.equal(1)
    const one = await open('/', { casinoIds: [acme.casinoId] })
    await one.page.getByText('What waits for a person').first().waitFor()
    expect(await one.page.getByRole('heading', { name: 'State of the service' }).count()).to.equal(0)
    expect(await one.page.getByRole('link', queues).count()).to.equal(0)
    expect([...complaints, ...one.complaints]).to.deep.equal([])
  })

  itInLongForm(
    'says that an address is malformed, keeps the menu, and shows the next requested page',
    async () => {
      const { page } = await open('/')
      const [root = ''] = page.url().split('/ops')
      await page.evaluate(`history.pushState(null, '', '${root}/ops/casinos/%E0%A4%A/orders')`)
      await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))')
      await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor()
      await page.getByText('its address is malformed').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'work list' }).click()
      await page.getByText('What waits for a person').first().waitFor()
    },
  )

  it('asks for the session before it shows anything', async () => {
    const reply = await world.service.client.send('GET', '/ops/casinos/acme/orders')
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.match(/^\/ops\/login/)
  })

  it('finds an order in the list of its casino, and reveals its delivery details after a reason is given', async () => {
    const { page, complaints } = await open(`/casinos/${acme.casinoId}/orders`)
    await page.getByRole('link', { name: acme.ids['order_id'] ?? '' }).click()
    await page.getByRole('button', { name: 'Reveal' }).click()
    await page.getByLabel('Reason').fill('The player asks')
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
    await page.getByText('Postal code').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('leads from the work list to the waiting objects, and says what to do about them', async () => {
    const { page } = await open(`/?casino_id=${acme.casinoId}`)
    await page.getByText('Check the order, then confirm or reject it.').waitFor()
    await page.getByRole('link', { name: 'Orders to confirm' }).click()
    await page.getByRole('link', { name: acme.ids['order_id'] ?? '' }).waitFor()
    expect(page.url()).to.contain('state=pending_confirmation')
  })

  it('leads from a search to a decision, with the consequence shown before and the reason recorded after', async () => {
    const { page, complaints } = await open('/', { role: 'support' })
    await page.keyboard.press('/')
    await page.keyboard.type(`${acme.ids['order_id'] ?? ''}\n`)
    await page.getByRole('link', { name: acme.ids['order_id'] ?? '' }).click()
    await page.getByRole('button', { name: 'Hold' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The order is not submitted while it is held.').waitFor()
    await dialog.getByLabel('What it is held for').selectOption('fraud_risk')
    await dialog.getByLabel('Reason').fill('Two accounts, one address')
    await dialog.getByRole('button', { name: 'Hold' }).click()
    await page.getByText('Two accounts, one address').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('carries out nothing on an object that has changed since it was shown, and keeps everything that was typed', async () => {
    const orderId = acme.ids['order_id'] ?? ''
    const path = `/admin/casinos/${acme.casinoId}/orders/${orderId}`
    const { page } = await open(`/casinos/${acme.casinoId}/orders/${orderId}`, { role: 'support' })
    await page.getByRole('button', { name: 'Confirm' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Address checked')
    const between = { hold_reason: 'customs', reason: 'In between' }
    expect((await world.service.client.post(`${path}/hold`, acme.apiKey, between)).status).to.equal(200)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('The object has changed since revision').waitFor()
    expect(await dialog.getByLabel('Reason').inputValue()).to.equal('Address checked')
    await dialog.getByRole('button', { name: 'Show how it is now' }).click()
    await page.getByText('In between').waitFor()
  })

  itInLongForm('offers viewers only actions that are allowed', async () => {
    const { page } = await open(`/casinos/${acme.casinoId}/orders/${acme.ids['order_id'] ?? ''}`, {
      role: 'viewer',
    })
    await page.getByText('There is nothing that you can do with it now.').waitFor()
    await page.getByText('Your role does not allow you to see them.').waitFor()
    expect(await page.locator('main button:not(.quiet)').count()).to.equal(0)
  })

  it('shows ids as plain text: markup, percent signs, right-to-left marks, missing spaces', async () => {
    const { factory } = world.service
    const long = 'x'.repeat(60)
    const playerId = `<img src=x onerror=alert(1)>\u202e100%25/${long}`
    const { prizeId } = await factory.prize(acme.casinoId, { playerId, prizeId: `<script>${long}%2f` })
    const { page, complaints, goTo } = await open(
      `/casinos/${acme.casinoId}/players/${encodeURIComponent(playerId)}`,
      {
        widthPx: 390,
      },
    )
    expect(await page.locator('h1').textContent()).to.equal(playerId)
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
    await page.locator('tbody a').first().click()
    await page.getByText(prizeId).waitFor()
    await goTo(`/casinos/${acme.casinoId}/prizes/${encodeURIComponent(prizeId)}`)
    expect(complaints).to.deep.equal([])
  })

  const windows = casesOf<[colorScheme: 'light' | 'dark', widthPx: number]>(
    [['light', 1280]],
    [
      ['dark', 390],
      ['light', 390],
      ['dark', 1280],
    ],
  )
  for (const [colorScheme, widthPx] of windows) {
    describe(`in a window of ${widthPx} pixels (${colorScheme})`, () => {
      let window: ConsolePage
      const atEndOfWindow = atEndOfSuite()
      before(async () => {
        window = await world.open('/', { widthPx, colorScheme })
        atEndOfWindow(() => window.close())
      })

      for (const page of casesOf(
        pages.filter((page) => !isSeenElsewhere(page)),
        pages.filter(isSeenElsewhere),
      )) {
        it(`has no barriers and fits: ${page}`, async () => {
          await window.goTo(pathOf(page, acme.ids))
          const loading = window.page.locator('.loading, [aria-busy=true]')
          await eventually('the page is loaded', async () => (await loading.count()) === 0)
          await keepPicture(window, `${page} ${widthPx} ${colorScheme}`)
          expect(await window.findBarriers()).to.deep.equal([])
          expect(await window.page.evaluate('document.documentElement.scrollWidth')).to.equal(widthPx)
          expect(await window.page.locator('.failure').allTextContents()).to.deep.equal([])
          expect(window.complaints).to.deep.equal([])
        })
      }
    })
  }
})
