import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { expect } from 'chai'
import type { BrowserContext } from 'playwright-core'
import { buildConsole } from '../../tools/console/build.ts'
import { atEndOfSuite, atEndOfTest } from './at-end.ts'
import { needBrowser, openBrowser, watchPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import { logIn } from './ops.ts'
import { isLongForm } from './runs.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

/** A service with the console of these sources, and a browser for its pages. */
export interface ConsoleWorld {
  service: TestService
  /** Signs in a new operator, in a window of its own with the given width, and goes to a page below `/ops`. */
  open: (path: string, wish?: OpenWish) => Promise<ConsolePage>
  stop: () => Promise<void>
}

export type OpenWish = Parameters<typeof logIn>[1] & {
  widthPx?: number
  colorScheme?: 'light' | 'dark'
  /** The page's timers can be advanced, by `page.clock`, to what it does after a while. */
  hasOwnClock?: boolean
}

export interface ConsolePage extends WatchedPage {
  context: BrowserContext
  /** Goes to a page below `/ops`. */
  goTo: (path: string) => Promise<void>
  /** The findings of axe-core on the current page. */
  findBarriers: () => Promise<string[]>
  close: () => Promise<void>
}

/**
 * Starts the console before the tests of a suite, hands it to `prepare`, and stops it after them; without a browser the
 * tests are skipped. Gives what opens windows, which are closed when their test has ended.
 */
export function consoleOfSuite(
  prepare: (world: ConsoleWorld) => unknown,
  wish: Parameters<typeof startService>[0] = {},
): ConsoleWorld['open'] {
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  let world: ConsoleWorld
  before('start the console', async function () {
    world = await startConsole(needBrowser(this), wish)
    atEnd(() => world.stop())
    await prepare(world)
  })
  return async (...wishes) => {
    const window = await world.open(...wishes)
    atTestEnd(() => window.close())
    return window
  }
}

/** By this process. */
let built: Promise<void> | undefined

/** Starts the console for a browser (see `needBrowser`). */
export async function startConsole(
  executable: string,
  wish: Parameters<typeof startService>[0] = {},
): Promise<ConsoleWorld> {
  await (built ??= buildConsole())
  const service = await startService(wish)
  const browser = await openBrowser(executable)
  const root = `${service.url}${service.deps.config.basePath}/ops`
  return {
    service,
    open: async (path, { widthPx = 1280, colorScheme = 'light', hasOwnClock = false, ...operator } = {}) => {
      const { Cookie: cookie } = await logIn(service, operator, `${service.deps.config.basePath}/ops/login`)
      const [name = '', value = ''] = cookie.split('=')
      const context = await browser.newContext({ viewport: { width: widthPx, height: 900 }, colorScheme })
      await context.addCookies([{ name, value, url: service.url }])
      const watched = watchPage(await context.newPage())
      if (hasOwnClock) await watched.page.clock.install()
      const goTo = async (to: string) => {
        await watched.page.goto(`${root}${to}`)
        await watched.page.locator('h1').waitFor()
        // Each page has its heading before it is loaded.
        await watched.page.locator('.loading').first().waitFor({ state: 'detached' })
      }
      await goTo(path)
      return {
        ...watched,
        context,
        goTo,
        findBarriers: () => findBarriers(watched),
        close: () => context.close(),
      }
    },
    stop: async () => {
      await browser.close()
      await service.stop()
    },
  }
}

/**
 * The findings of axe-core on a page. It is injected by the browser's own tools, which the page's policy does not
 * concern, and stays until another document is loaded.
 */
export async function findBarriers({ page }: WatchedPage): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
  )
}

/** The width of a phone. */
export const phonePx = 390

/**
 * Everybody can use the page as it is now: the window and a phone show it without scrolling sideways, and axe-core finds nothing on
 * either screen. It takes most of a second, so it looks in the long form only.
 */
export async function expectUsable(window: ConsolePage, name: string): Promise<void> {
  const { page } = window
  const viewport = page.viewportSize()
  if (viewport === null) throw new Error('the window has no size')
  const expectNoScrolling = async (widthPx: number) => {
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(widthPx)
  }
  await keepPicture(window, name)
  await expectNoScrolling(viewport.width)
  if (isLongForm) expect(await window.findBarriers(), name).to.deep.equal([])
  if (viewport.width !== phonePx) {
    await page.setViewportSize({ width: phonePx, height: 900 })
    await keepPicture(window, `${name} on a phone`)
    if (isLongForm) expect(await window.findBarriers(), `${name} on a phone`).to.deep.equal([])
  }
  await expectNoScrolling(phonePx)
  await page.setViewportSize(viewport)
}

/** With `TEST_PICTURES` set to a folder, people can look at the pages there afterwards. */
export async function keepPicture({ page }: WatchedPage, name: string): Promise<void> {
  const folder = process.env['TEST_PICTURES']
  if (folder === undefined) return
  const file = `${name.replaceAll(/[^\w]+/g, '-').replace(/^-/, '')}.png`
  await page.screenshot({ path: join(folder, file), fullPage: true })
}

/** The paths of all pages below `/ops`, as the program's own routes have them, with the names of ids. */
export function listPages(): string[] {
  const source = readFileSync(join(import.meta.dirname, '../../console/src/app.tsx'), 'utf8')
  const routes = [...source.matchAll(/<Route path=\{pathTo\('([^']+)'\)\}/g)].map(([, path = '']) => path)
  if (routes.length < 20) throw new Error('the routes of the console are written in another way')
  return routes
}

/** The path of a page about these ids, which have their names in the API: `:orderId` is `order_id`. */
export function pathOf(page: string, ids: Readonly<Record<string, string>>): string {
  return page.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
    if (id === undefined) throw new Error(`there is no ${name}`)
    return encodeURIComponent(id)
  })
}
