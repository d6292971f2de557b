import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { buildConsole } from '../tools/console/build.ts'
import { makeLocalDir, removeLocalDir, runStart } from './local/run-start.ts'
import { pictures } from './pictures/pictures.ts'
import type { Picture } from './pictures/pictures.ts'
import { endRun } from './support/at-end.ts'
import { browserNames, openBrowser } from './support/browser.ts'
import type { TestBrowser } from './support/browser.ts'
import { findOnPath } from '../local/find-on-path.ts'

const usage = `npm run docs:pictures

Takes the pictures of docs/operate/console.md: starts the service as "npm start" does, in a folder of its own, and
photographs its console with Chromium. Look at the pictures before you keep them.`

/** Small but readable. Lossy is good enough, because people only look at the pictures. */
const qualityPercent = 70
/** A longer page is cut: its picture shows the top. */
const heightMaxPx = 1_400
/** An element that has not appeared after this time is missing. */
const stepTimeoutMs = 15_000

await runMain({ usage }, async (args) => {
  parseArgs({ args, options: {} })
  const executable = browserNames.map((name) => findOnPath(name)).find((file) => file !== undefined)
  if (executable === undefined) throw new Error('there is no Chromium on the PATH')
  await buildConsole()
  const localDir = await makeLocalDir()
  const run = runStart({ LOCAL_DIR: localDir, PORT: '0' })
  try {
    await run.printed('Ctrl-C stops everything')
    const [, ops = ''] = /^ {2}Console +(\S+)/m.exec(run.output()) ?? []
    const browser = await openBrowser(executable)
    try {
      await takeAll(browser, ops, passwordIn(localDir))
    } finally {
      await endRun()
    }
  } finally {
    run.terminate()
    await run.ended
    await removeLocalDir(localDir)
  }
  return exitCodes.done
})

async function takeAll(browser: TestBrowser, ops: string, password: string): Promise<void> {
  const folder = join(import.meta.dirname, '../docs/operate/pictures')
  mkdirSync(folder, { recursive: true })
  const desk = await browser.newContext({ viewport: { width: 1_100, height: 760 } })
  const first = await desk.newPage()
  first.setDefaultTimeout(stepTimeoutMs)
  await signIn(first, ops, password)
  const phone = await browser.newContext({ viewport: { width: 390, height: 760 }, colorScheme: 'dark' })
  await phone.addCookies(await desk.cookies())
  for (const picture of pictures) {
    const file = join(folder, `${picture.name}.webp`)
    writeFileSync(file, await take(picture, picture.isPhone ? phone : desk, ops))
    console.log(file)
  }
}

async function signIn(page: Page, ops: string, password: string): Promise<void> {
  await page.goto(`${ops}/login`)
  await page.getByLabel('Username').fill('maria')
  await page.getByLabel('password').first().fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Work list' }).waitFor()
}

/** Playwright itself knows no WebP, which takes a third of a PNG. */
async function take(picture: Picture, context: BrowserContext, ops: string): Promise<Buffer> {
  const page = await context.newPage()
  page.setDefaultTimeout(stepTimeoutMs)
  await picture.goTo(page, ops)
  await page.getByText(/^Loading/).waitFor({ state: 'hidden' })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const part = picture.part === undefined ? null : await page.locator(picture.part).boundingBox()
  const scrolled = await page.evaluate<number>('scrollY')
  const clip =
    part === null
      ? { x: 0, y: scrolled, width, height }
      : { ...part, y: part.y + scrolled, height: Math.min(part.height, heightMaxPx) }
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: qualityPercent,
    captureBeyondViewport: true,
    clip: { ...clip, scale: 1 },
  })
  await page.close()
  return Buffer.from(data, 'base64')
}

function passwordIn(localDir: string): string {
  return readFileSync(join(localDir, 'demo-password'), 'utf8').trim()
}
