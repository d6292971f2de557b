import { expect } from 'chai'
import { textAt } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { createWorld, endpointUrl } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { consoleOfSuite, keepPicture, phonePx } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { adminApiKey } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { casesOf } from '../support/runs.ts'

/** A name with markup, a mark that reverses the direction of text, and no space at which a line could break. */
const odd = '<script>alert(1)</script>\u202e'
const longest = (length: number, kind: string) => `${kind}${odd}`.padEnd(length, 'Wm')

describe('the console on a phone with the longest names', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let acme: World
  let window: ConsolePage
  let operatorId: string
  const atEnd = atEndOfSuite()
  consoleOfSuite(async (started) => {
    world = started
    const { client, factory } = world.service
    const send = async (method: string, path: string, body: object) => {
      const reply = await client.send(method, `/admin${path}`, {
        headers: { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(reply.status, reply.text).to.be.oneOf([200, 201])
      return reply
    }
    const casino = await factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
    const ofCasino = `/casinos/${casino.id}`
    const id = longest(128, 'id')
    const ids = { item_id: id, box_id: id, endpoint_id: id }
    acme = { ...acme, ids: { ...acme.ids, ...ids } }
    const name = longest(200, 'name')
    const path = encodeURIComponent(id)
    await send('PUT', ofCasino, { name })
    await send('PUT', `${ofCasino}/items/${path}`, {
      name,
      kind: 'none',
      description: longest(4_000, 'text'),
    })
    await send('PUT', `${ofCasino}/boxes/${path}`, {
      name,
      access: 'granted',
      description: longest(4_000, 'text'),
      entries: [{ item_id: id, weight: 1 }],
    })
    await send('PUT', `${ofCasino}/webhook-endpoints/${path}`, {
      url: `${endpointUrl}${'u'.repeat(1_900)}`,
      description: longest(500, 'text'),
    })
    await send('POST', `${ofCasino}/orders/${acme.ids['order_id'] ?? ''}/hold`, {
      hold_reason: 'customs',
      reason: longest(500, 'reason'),
    })
    await send('POST', `${ofCasino}/prizes/${acme.ids['prize_id'] ?? ''}/notes`, {
      text: longest(5_000, 'note'),
    })
    const operator = await send('POST', '/operators', {
      username: 'w'.repeat(100),
      name: longest(100, 'name'),
      role: 'viewer',
      casino_ids: null,
    })
    operatorId = textAt(operator, 'data.operator_id')
    window = await world.open('/', { widthPx: phonePx })
    atEnd(() => window.close())
  })

  const of = (path: string) => () => `/casinos/${acme.casinoId}${path}`
  const ofId = (path: string, name: string) => () =>
    of(`${path}/${encodeURIComponent(acme.ids[name] ?? '')}`)()
  const pages: Record<string, () => string> = {
    'the work list': () => '/',
    'the casinos': () => '/casinos',
    'the casino': of(''),
    'the items': of('/items'),
    'an item': ofId('/items', 'item_id'),
    'the boxes': of('/boxes'),
    'a box': ofId('/boxes', 'box_id'),
    'the webhook endpoints': of('/webhooks'),
    'an endpoint': ofId('/webhooks', 'endpoint_id'),
    'an order': ofId('/orders', 'order_id'),
    'a prize': ofId('/prizes', 'prize_id'),
    'the operators': () => '/operators',
    'an operator': () => `/operators/${operatorId}`,
    'the audit trail': of('/audit'),
  }
  const usual = ['an item', 'a prize']
  for (const name of casesOf(
    usual,
    Object.keys(pages).filter((each) => !usual.includes(each)),
  )) {
    it(`shows ${name} as text that fits`, async () => {
      await window.goTo(pages[name]?.() ?? '')
      const loading = window.page.locator('.loading, [aria-busy=true]')
      await eventually('the page is loaded', async () => (await loading.count()) === 0)
      await keepPicture(window, `long ${name}`)
      expect(await window.page.evaluate('document.documentElement.scrollWidth')).to.equal(phonePx)
      expect(await window.page.locator('.failure').allTextContents()).to.deep.equal([])
      expect(window.complaints).to.deep.equal([])
    })
  }

  it('shows the whole reason of a change, and all of a longer text when the keyboard asks for it', async () => {
    const { page } = window
    await window.goTo(ofId('/orders', 'order_id')())
    expect(await page.locator('.timeline').textContent()).to.contain(longest(500, 'reason'))
    await window.goTo(ofId('/items', 'item_id')())
    const description = page.locator('dd').filter({ hasText: 'Show all' })
    expect((await description.textContent())?.length).to.be.lessThan(1_000)
    await page.getByRole('button', { name: 'Show all 4,000 characters' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show less' }).waitFor()
    expect(await page.locator('main').textContent()).to.contain(longest(4_000, 'text'))
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(phonePx)
  })

  it('shows a dialog with them that fits', async () => {
    await window.goTo(ofId('/items', 'item_id')())
    await window.page.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = window.page.getByRole('dialog')
    await dialog.waitFor()
    const beyond =
      "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth"
    expect(await window.page.evaluate(beyond)).to.equal(0)
    const { x = -1, width = 0 } = (await dialog.boundingBox()) ?? {}
    expect([x >= 0, x + width <= phonePx]).to.deep.equal([true, true])
    await keepPicture(window, 'long dialog')
  })
})
