import { expect } from 'chai'
import { createSeedTurns } from '../../worker/loops.ts'
import { buildConsole } from '../../tools/console/build.ts'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { needBrowser, openBrowser, watchPage } from '../support/browser.ts'
import type { TestBrowser, WatchedPage } from '../support/browser.ts'
import { adminApiKey } from '../support/config.ts'
import { findBarriers, keepPicture } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { casesOf, itInLongForm } from '../support/runs.ts'

const basePath = '/rewards/v1'
const playerId = '<script>alert(1)</script>\u202edcba'
const itemId = '<img src=x onerror=alert(2)> mug'

interface Answer {
  status: string
  data: Record<string, unknown>
}

describe('the verification page', () => {
  let service: TestService
  let browser: TestBrowser
  let casino: TestCasino
  let later = 0
  let receipt: { opening: { id: string } }
  let unrevealed: Answer
  let revealed: Answer
  let list: { data: Record<string, unknown>[] }
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()

  before(async function () {
    const executable = needBrowser(this)
    await buildConsole()
    service = await startService({
      env: { BASE_PATH: basePath },
      clock: { now: () => new Date(Date.now() + later) },
    })
    atEnd(() => service.stop())
    browser = await openBrowser(executable)
    atEnd(() => browser.close())
    await play()
  })

  /** Three openings, one seen before its seed is revealed and all of them afterwards. */
  async function play(): Promise<void> {
    casino = await service.factory.casino()
    const casinoPath = `/admin/casinos/${casino.id}`
    for (const id of [itemId, 'cap'])
      await put(`${casinoPath}/items/${encodeURIComponent(id)}`, { name: id, kind: 'physical' })
    const limit = { count: 10, period: 'lifetime' }
    const entries = [
      { item_id: itemId, weight: 2, stock: 1 },
      { item_id: 'cap', weight: 3 },
    ]
    const box = { name: 'Daily', access: 'limited', limit, entries, fallback_item_id: 'cap' }
    await put(`${casinoPath}/boxes/daily`, box)
    receipt = await open()
    await open()
    await open()
    unrevealed = await get(`/fairness/openings/${receipt.opening.id}`)
    const rotated = await send('POST', `${casinoPath}/fairness/rotate`, adminApiKey)
    expect(rotated.status).to.equal(200)
    later += 31_000
    await createSeedTurns(service.startWorker().deps).reveal()
    revealed = await get(`/fairness/openings/${receipt.opening.id}`)
    list = await get(`/fairness/openings?player_id=${encodeURIComponent(playerId)}`)
  }

  const send = (method: string, path: string, key: string, body?: object) =>
    service.client.send(method, `${basePath}${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const put = async (path: string, body: object) => {
    const { status, text } = await send('PUT', path, adminApiKey, body)
    expect(status, text).to.be.oneOf([200, 201])
  }
  const get = async <Body>(path: string) => (await send('GET', path, casino.apiKey)).json as Body
  const open = async () => {
    const { status, json } = await send('POST', '/box/open', casino.apiKey, {
      player_id: playerId,
      box_id: 'daily',
    })
    expect(status).to.equal(200)
    return json as { opening: { id: string } }
  }

  const visit = async (widthPx = 1280, colorScheme: 'light' | 'dark' = 'light') => {
    const context = await browser.newContext({ viewport: { width: widthPx, height: 900 }, colorScheme })
    atTestEnd(() => context.close())
    const watched = watchPage(await context.newPage())
    await watched.page.goto(`${service.url}${basePath}/verify`)
    await watched.page.locator('h1').waitFor()
    return { ...watched, context }
  }
  const check = async ({ page }: WatchedPage, value: unknown) => {
    await page.getByLabel('The record').fill(typeof value === 'string' ? value : JSON.stringify(value))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
  }
  const verdictOf = async ({ page }: WatchedPage) => {
    await page.locator('.verdict').first().waitFor()
    return page.locator('.verdict strong').innerText()
  }
  const answersOf = ({ page }: WatchedPage) => page.locator('.steps .answer').allInnerTexts()

  it('loads two files of its own and may request nothing else, and browsers may cache them', async () => {
    const { page, requests, complaints } = await visit()
    const own = ['/verify', '/verify/page.css', '/verify/page.js'].map(
      (path) => `${service.url}${basePath}${path}`,
    )
    expect(requests.filter((url) => !url.startsWith('data:'))).to.have.members(own)
    const headers = await (await page.reload())?.allHeaders()
    const policy = headers?.['content-security-policy'] ?? ''
    expect(policy).to.contain("default-src 'none'; script-src 'self'; style-src 'self'; ")
    expect(policy).not.to.match(/unsafe|connect-src|https?:|blob:|\*/)
    for (const url of own) {
      const reply = await service.client.send('GET', url.slice(service.url.length))
      expect(reply.headers.get('Cache-Control')).to.equal('public, max-age=300')
    }
    expect(complaints).to.deep.equal([])
  })

  it('verifies a good opening without a network, and shows names from others as text', async () => {
    const visited = await visit()
    const { page, requests, complaints, context } = visited
    const loaded = requests.length
    await context.setOffline(true)
    await check(visited, revealed)
    expect(await verdictOf(visited)).to.equal('Verified.')
    expect(await answersOf(visited)).to.deep.equal(['Yes', 'Yes', 'Yes', 'Yes'])
    expect(await page.locator('.report').innerText()).to.contain('<script>alert(1)</script>')
    expect(await page.locator('.odds').innerText())
      .to.contain(itemId)
      .and.contain('40')
    const openedAt = String(revealed.data['opened_at'])
    expect(await page.locator('.report time').getAttribute('title')).to.equal(openedAt)
    await page.getByText('The numbers, to check by hand').click()
    await page.getByText('Ticket, and the sum of weights').waitFor()
    expect(requests.length).to.equal(loaded)
    expect(complaints).to.deep.equal([])
    await keepPicture(visited, 'verify good')
  })

  it('names each change in a tampered record, and keeps the record in the field', async () => {
    const visited = await visit()
    const { data } = revealed
    const won = data['item_id'] === 'cap' ? itemId : 'cap'
    await check(visited, { ...data, item_id: won })
    expect(await verdictOf(visited)).to.equal('Not as promised.')
    expect(await answersOf(visited)).to.deep.equal(['No', 'Yes', 'Yes', 'No'])
    await visited.page.getByText('The field "item_id" was changed').waitFor()
    expect(await visited.page.getByLabel('The record').inputValue()).to.contain(won)
    await keepPicture(visited, 'verify tampered')
    await check(visited, { ...data, seed: 'f'.repeat(64) })
    await visited.page.getByText('The field "seed" was changed').waitFor()
    expect((await answersOf(visited)).slice(0, 3)).to.deep.equal(['No', 'No', 'Yes'])
  })

  itInLongForm(
    'names the checks that wait for the seed, with the record and with the answer of the opening alone',
    async () => {
      const visited = await visit()
      await check(visited, unrevealed)
      expect(await verdictOf(visited)).to.equal('Cannot be checked yet.')
      expect(await answersOf(visited)).to.deep.equal(['Yes', 'Not yet', 'Yes', 'Not yet'])
      await keepPicture(visited, 'verify unrevealed')
      await check(visited, receipt)
      await visited.page.getByText('Keep it: it names the promise.').waitFor()
      await check(visited, [receipt, revealed])
      await visited.page.getByText('Does it agree with the answer that you kept?').waitFor()
      expect(await answersOf(visited)).to.deep.equal(['Yes', 'Yes', 'Yes', 'Yes', 'Yes'])
    },
  )

  it('verifies a file of many, shows the wrong ones first, and names the openings missing between them', async () => {
    const visited = await visit()
    const { page, complaints } = visited
    const [first, , third] = list.data
    const lines = [first, { ...first, id: 'opn_other' }, third].map((row) => JSON.stringify(row)).join('\n')
    const file = { name: 'evidence <b>.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines) }
    const field = page.getByLabel('or a file')
    await field.setInputFiles(file)
    // The same file can be chosen again.
    await eventually('the field is empty', async () => (await field.inputValue()) === '')
    await page.getByRole('heading', { name: '3 openings in evidence <b>.jsonl' }).waitFor()
    expect(await page.locator('.counts li').allInnerTexts()).to.deep.equal([
      '2 verified',
      '1 not as promised',
    ])
    await page.getByText('Opening 2 of player \u2068<script>').waitFor()
    await page.locator('summary').first().click()
    await page.getByText('The field "id" was changed').waitFor()
    expect(await findBarriers(visited)).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await keepPicture(visited, 'verify many')
  })

  itInLongForm('names each problem of the text, and keeps the text', async () => {
    const visited = await visit(390)
    const { page } = visited
    const text = JSON.stringify(revealed, undefined, 2)
    for (const [pasted, words] of [
      ['', 'There is nothing to check yet'],
      [receipt.opening.id, 'This is only an id.'],
      [text.slice(0, -20), 'a part of it is missing'],
      ['{"status":"error"}', 'it has no field odds_table'],
    ] as const) {
      await check(visited, pasted)
      await page.getByRole('alert').getByText(words).waitFor()
      expect(await page.getByLabel('The record').inputValue()).to.equal(pasted)
    }
    await keepPicture(visited, 'verify problem 390')
    await check(visited, text)
    expect(await verdictOf(visited)).to.equal('Verified.')
    expect(await page.getByRole('alert').isVisible()).to.equal(false)
  })

  for (const colorScheme of casesOf(['light'] as const, ['dark'] as const))
    it(`fits a phone and has no accessibility barriers: ${colorScheme}`, async () => {
      const visited = await visit(390, colorScheme)
      expect(await findBarriers(visited)).to.deep.equal([])
      await check(visited, revealed)
      await verdictOf(visited)
      await visited.page.getByText('The numbers, to check by hand').click()
      expect(await findBarriers(visited)).to.deep.equal([])
      expect(await visited.page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
      await keepPicture(visited, `verify 390 ${colorScheme}`)
    })
})
