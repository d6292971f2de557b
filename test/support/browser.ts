import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { atEndOfRun } from './at-end.ts'
import { needProgram } from './need-program.ts'

/** The names of browsers for tests. The first of them has no windows, which takes half the CPU. */
export const browserNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The file of a browser; skips the tests of this hook or test without one. */
export function needBrowser(context: Mocha.Context): string {
  return needProgram(context, browserNames, 'chromium-headless-shell')
}

/** One for all files that this process runs: starting another takes as long as several pages. */
let launched: Promise<Browser> | undefined

/** A browser that sends no requests by itself. Windows have nothing in common, and closing it closes its windows. */
export async function openBrowser(executablePath: string): Promise<TestBrowser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  if (launched === undefined) {
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet]
    launched = chromium.launch({ executablePath, args })
    atEndOfRun(async () => (await launched)?.close())
  }
  const browser = await launched
  const contexts: BrowserContext[] = []
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

export interface TestBrowser {
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  close: () => Promise<void>
}

/** A page, and what it has asked for and complained about: violations of its policy are among the complaints. */
export interface WatchedPage {
  page: Page
  requests: string[]
  complaints: string[]
}

export async function openPage(browser: TestBrowser, widthPx: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: widthPx, height: 800 } })
  return watchPage(await context.newPage())
}

/** Begins to note what a page asks for and complains about. */
export function watchPage(page: Page): WatchedPage {
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return { page, requests, complaints }
}
