import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'

/**
 * Where this machine has a browser for tests; undefined without one. The first of them has no windows, which takes half
 * the CPU.
 */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** A browser that sends no requests by itself. */
export function openBrowser(executablePath: string): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet],
  })
}

/** A page, and what it has asked for and complained about: violations of its policy are among the complaints. */
export interface WatchedPage {
  page: Page
  requests: string[]
  complaints: string[]
}

export async function openPage(browser: Browser, widthPx: number): Promise<WatchedPage> {
  return watchPage(await browser.newPage({ viewport: { width: widthPx, height: 800 } }))
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
