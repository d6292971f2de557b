import { join } from 'node:path'
import axe from 'axe-core'
import type { BrowserContext } from 'playwright-core'
import { buildConsole } from '../../tools/console/build.ts'
import { findChromium, openBrowser, watchPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import { logIn } from './ops.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

/** A service with the console of these sources, and a browser for its pages. */
export interface ConsoleWorld {
  service: TestService
  /** Signs in a new operator, in a window of its own with the given width, and goes to a page below `/ops`. */
  open: (path: string, wish?: OpenWish) => Promise<ConsolePage>
  stop: () => Promise<void>
}

export type OpenWish = Parameters<typeof logIn>[1] & { widthPx?: number; colorScheme?: 'light' | 'dark' }

export interface ConsolePage extends WatchedPage {
  context: BrowserContext
  /** Goes to a page below `/ops`. */
  goTo: (path: string) => Promise<void>
  /** What axe-core has against the page as it is now. */
  findBarriers: () => Promise<string[]>
  close: () => Promise<void>
}

/** Undefined where there is no browser: a suite then skips its tests. */
export async function startConsole(
  wish: Parameters<typeof startService>[0] = {},
): Promise<ConsoleWorld | undefined> {
  const executable = findChromium()
  if (executable === undefined) return undefined
  await buildConsole()
  const service = await startService(wish)
  const browser = await openBrowser(executable)
  const root = `${service.url}${service.deps.config.basePath}/ops`
  return {
    service,
    open: async (path, { widthPx = 1280, colorScheme = 'light', ...operator } = {}) => {
      const { Cookie: cookie } = await logIn(service, operator, `${service.deps.config.basePath}/ops/login`)
      const [name = '', value = ''] = cookie.split('=')
      const context = await browser.newContext({ viewport: { width: widthPx, height: 900 }, colorScheme })
      await context.addCookies([{ name, value, url: service.url }])
      const watched = watchPage(await context.newPage())
      const goTo = async (to: string) => {
        await watched.page.goto(`${root}${to}`)
        await watched.page.locator('h1').waitFor()
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

/** What axe-core has against a page. It is injected by the browser's own tools, which the page's policy does not concern. */
export async function findBarriers({ page }: WatchedPage): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
  )
}

/** With `TEST_PICTURES` set to a folder, people can look at the pages there afterwards. */
export async function keepPicture({ page }: WatchedPage, name: string): Promise<void> {
  const folder = process.env['TEST_PICTURES']
  if (folder === undefined) return
  const file = `${name.replaceAll(/[^\w]+/g, '-').replace(/^-/, '')}.png`
  await page.screenshot({ path: join(folder, file), fullPage: true })
}
