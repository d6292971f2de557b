import { expect } from 'chai'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { createWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { keepPicture, startConsole } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'

describe('the console', () => {
  let world: ConsoleWorld
  let acme: World
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async function () {
    const started = await startConsole()
    if (started === undefined) return this.skip()
    world = started
    atEnd(() => world.stop())
    const casino = await world.service.factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
  })

  const open = async (...wish: Parameters<ConsoleWorld['open']>) => {
    const page = await world.open(...wish)
    atTestEnd(() => page.close())
    return page
  }

  it('shows its first page below a base path, asks nobody else for anything, and breaks none of its own policy', async () => {
    const basePath = '/rewards/v1'
    const below = await startConsole({ env: { BASE_PATH: basePath } })
    if (below === undefined) throw new Error('the browser is gone')
    atTestEnd(() => below.stop())
    const { page, requests, complaints } = await below.open('/')
    await page.getByRole('heading', { level: 1, name: 'Work list' }).waitFor()
    expect(complaints).to.deep.equal([])
    const own = `${below.service.url}${basePath}/`
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).to.deep.equal([])
  })

  it('has a policy without anything inline, from elsewhere or made of text', async () => {
    const { page } = await open('/')
    const reply = await page.reload()
    const policy = (await reply?.allHeaders())?.['content-security-policy'] ?? ''
    expect(policy).to.contain("script-src 'self'; style-src 'self'; ").and.contain("trusted-types 'none'")
    expect(policy).not.to.match(/unsafe|https?:|blob:|\*/)
  })

  it('asks who is there before it shows anything', async () => {
    const reply = await world.service.client.send('GET', '/ops/casinos/acme/orders')
    expect(reply.status).to.equal(303)
    expect(reply.headers.get('Location')).to.match(/^\/ops\/login/)
  })

  it('finds an order in the list of its casino, and reveals where it goes to people who say why', async () => {
    const { page, complaints } = await open(`/casinos/${acme.casinoId}/orders`)
    await page.getByRole('link', { name: acme.ids['order_id'] ?? '' }).click()
    await page.getByRole('button', { name: 'Reveal' }).click()
    await page.getByLabel('Reason').fill('The player asks')
    await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
    await page.getByText('Postal code').waitFor()
    expect(complaints).to.deep.equal([])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const widthPx of [1280, 390]) {
      it(`has no barriers and fits a window of ${widthPx} pixels (${colorScheme})`, async () => {
        const window = await open('/', { widthPx, colorScheme })
        for (const path of pagesOf(acme)) {
          await window.goTo(path)
          await keepPicture(window, `${path} ${widthPx} ${colorScheme}`)
          expect(await window.findBarriers(), path).to.deep.equal([])
          expect(await window.page.evaluate('document.documentElement.scrollWidth'), path).to.equal(widthPx)
        }
        expect(window.complaints).to.deep.equal([])
      })
    }
  }
})

/** Every page of the console, with the objects of a casino. */
function pagesOf({ casinoId, ids }: World): string[] {
  const casino = `/casinos/${casinoId}`
  return ['/', `${casino}/orders`, `${casino}/orders/${ids['order_id'] ?? ''}`, `${casino}/cashbacks`]
}
