import { expect } from 'chai'
import { createOperator, textAt } from '../api/admin/operator.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { consoleOfSuite, expectUsable, keepPicture } from '../support/console.ts'
import type { ConsolePage, ConsoleWorld } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startFakeWallet } from '../support/fake-wallet.ts'
import { itInLongForm } from '../support/runs.ts'

describe('the setup of a casino in the console', function () {
  this.timeout(120_000)
  let world: ConsoleWorld
  let casino: TestCasino
  const atTestEnd = atEndOfTest()
  const open = consoleOfSuite((started) => {
    world = started
  })
  beforeEach(async () => {
    casino = await world.service.factory.casino()
  })
  /** Fills the fields of the open dialog by their labels, with a reason, and presses its button. */
  const send = async ({ page }: ConsolePage, button: string, fields: Record<string, string> = {}) => {
    const dialog = page.getByRole('dialog')
    for (const [label, text] of Object.entries({ ...fields, Reason: 'Für den Aufbau: 100 %' })) {
      const field = dialog.getByLabel(label, { exact: label === 'Name' })
      await field.waitFor()
      const isList = (await field.locator('option').count()) > 0
      await (isList ? field.selectOption({ label: text }) : field.fill(text))
    }
    await dialog.getByRole('button', { name: button, exact: true }).click()
  }
  const settingOf = async (casinoId: string, name: string) =>
    (await world.service.database.casinoSetting.findFirst({ where: { casinoId, name } }))?.value
  /** The complaints of the page, without the service's refusals, which are expected. */
  const unexpected = ({ complaints }: ConsolePage) =>
    complaints.filter((text) => !/status of (400|404|409|422)/.test(text))

  it('begins with a casino, whose first key is shown once and whose id is never taken over', async () => {
    const window = await open('/casinos')
    const { page } = window
    await page.getByRole('link', { name: casino.id, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a casino' }).click()
    await send(window, 'Create', { Id: casino.id, Name: 'Taken over' })
    await page.getByText('This id is in use.').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).to.equal(
      'Taken over',
    )
    const id = `${casino.id} <script>/\u202e`
    await send(window, 'Create', {
      Id: id,
      Name: 'Acme <b>',
      'First API key': 'play and manage: the management API too',
    })
    await page.getByText('It is shown this once').waitFor()
    const apiKey = (await page.locator('section[aria-label="Shown once"] code').textContent()) ?? ''
    const listed = await createOperator(world.service.client, apiKey).get(
      `/${encodeURIComponent(id)}/api-keys`,
    )
    expect(listed.status).to.equal(200)
    await page.getByRole('link', { name: 'Acme <b>' }).waitFor()
    await expectUsable(window, 'casinos')
    await page.getByRole('link', { name: 'Acme <b>' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme <b>' }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await send(window, 'Rename', { Name: 'Acme' })
    await page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor()
    expect(await page.content()).not.to.contain(apiKey)
    const audited = await world.service.database.auditEntry.findMany({ where: { casinoId: id } })
    const reasons = new Set(audited.map(({ reason }) => reason))
    expect(reasons).to.deep.equal(new Set(['Für den Aufbau: 100 %', null]))
    expect(unexpected(window)).to.deep.equal([])
  })

  itInLongForm(
    'continues with its settings, each checked, none overwritten, and no secret ever shown again',
    async () => {
      const window = await open(`/casinos/${casino.id}`)
      const { page } = window
      await page.getByRole('heading', { name: 'Quotas' }).waitFor()
      await expectUsable(window, 'casino')

      const wallet = await startFakeWallet()
      atTestEnd(() => wallet.stop())
      await page.getByRole('button', { name: 'Change Wallet' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Kind').selectOption('http')
      await dialog.getByLabel('Secret', { exact: true }).selectOption('own')
      await dialog.getByLabel('URL').fill(wallet.url)
      await dialog.getByLabel('My own secret').fill(wallet.secret)
      await dialog.getByLabel('Reason').fill('Is it there?')
      await dialog.getByRole('button', { name: 'Test without saving' }).click()
      await dialog.getByText('The partner answered 200').waitFor()
      expect(await settingOf(casino.id, 'wallet')).to.equal(undefined)
      await dialog.getByLabel('Secret', { exact: true }).selectOption('new')
      await send(window, 'Save', { URL: 'wallet' })
      await page.locator('.problem').first().waitFor()
      expect(await page.getByLabel('URL').inputValue()).to.equal('wallet')
      await expectUsable(window, 'wallet setting')
      await send(window, 'Save', { URL: 'https://wallet.example.com/rewards', 'Time-out': '3000' })
      await page.getByText('It is shown this once').waitFor()
      const secret = (await page.locator('section[aria-label="Shown once"] code').textContent()) ?? ''
      expect(secret).to.match(/^whsec_/)
      expect(await settingOf(casino.id, 'wallet')).to.deep.equal({
        kind: 'http',
        url: 'https://wallet.example.com/rewards',
        timeout_ms: 3000,
      })
      await page.reload()
      await page.getByText('https://wallet.example.com/rewards').waitFor()
      expect(await page.content()).not.to.contain(secret)
      await page.getByRole('button', { name: 'Change Wallet' }).click()
      await page.getByLabel('Secret', { exact: true }).selectOption('new')
      await send(window, 'Save', { 'The previous secret': 'stays valid for an hour' })
      await page.getByText('Previous secret valid until').waitFor()

      await page.getByRole('button', { name: 'Change Fulfilment' }).click()
      await page.getByRole('dialog').getByLabel('Kind').selectOption('http')
      await page.getByLabel('Secret', { exact: true }).selectOption('own')
      const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      await send(window, 'Save', {
        URL: 'https://ships.example.com',
        'Minutes between': 'often',
        'My own secret': own,
      })
      await page.getByText('Write a number').waitFor()
      await send(window, 'Save', { 'Minutes between': '5' })
      await page.getByText('every 5 minutes').waitFor()

      await page.getByRole('button', { name: 'Change Reminders' }).click()
      await send(window, 'Save', { 'Hours after': '72 24' })
      await page.getByText('must be in ascending order').waitFor()
      await send(window, 'Save', { 'Hours after': '12, 36' })
      await page.getByText('12, 36').waitFor()

      await page.getByRole('button', { name: 'Change Approvals' }).click()
      await send(window, 'Save', { 'Alone up to': '100.00 EUR\n1.5 JPY' })
      await page.getByText('Line 2 is not an amount').waitFor()
      await send(window, 'Save', { 'Alone up to': '100.00 EUR\n1500 JPY\n' })
      await page.getByText('€100.00, ¥1,500').waitFor()
      expect(await settingOf(casino.id, 'approvals')).to.deep.equal({
        limits: [
          { amount_minor: 10_000, currency: 'EUR' },
          { amount_minor: 1_500, currency: 'JPY' },
        ],
      })

      await page.getByRole('button', { name: 'Change Rate limits' }).click()
      const pair = page.getByRole('dialog').getByRole('group', { name: 'box open' })
      await pair.getByLabel('A second').fill('50')
      await send(window, 'Save')
      await page.getByText('Fill in both, or neither.').waitFor()
      await expectUsable(window, 'rate limits')
      await pair.getByLabel('Burst').fill('200')
      await send(window, 'Save')
      await page.getByText('50 a second, burst 200').waitFor()
      await page.getByRole('button', { name: 'Change Quotas' }).click()
      await send(window, 'Save', { 'webhook endpoints': '3' })
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await settingOf(casino.id, 'quotas')).to.deep.equal({ webhook_endpoints: 3 })

      await page.getByRole('button', { name: 'Change Privacy' }).click()
      const script = createOperator(world.service.client, casino.apiKey)
      const meanwhile = await script.put(`/${casino.id}/settings/privacy`, { delivery_retention_days: 30 })
      expect(meanwhile.status).to.equal(200)
      await send(window, 'Save', { 'Days kept': '3650' })
      const now = page.getByRole('region', { name: 'How it is now' })
      await now.getByText('30', { exact: true }).waitFor()
      expect(await settingOf(casino.id, 'privacy')).to.deep.equal({ delivery_retention_days: 30 })
      await expectUsable(window, 'setting that somebody has changed')
      await send(window, 'Save')
      await page.getByText('3650', { exact: true }).waitFor()
      expect(unexpected(window)).to.deep.equal([])
    },
  )

  itInLongForm(
    'has keys, each shown once, and lists the keys that end with one before it is revoked',
    async () => {
      const window = await open(`/casinos/${casino.id}/keys`)
      const { page } = window
      const shown = page.locator('section[aria-label="Shown once"] code')
      const newKey = async (button: string, fields: Record<string, string>) => {
        await send(window, button, fields)
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        const [id = '', apiKey = ''] = await shown.allTextContents()
        expect(apiKey).to.contain(id)
        return { id, apiKey }
      }
      await page.getByRole('button', { name: 'Create a key' }).click()
      await send(window, 'Create', {
        Name: 'back office',
        Ends: 'tomorrow',
        'Allowed addresses': 'the office',
      })
      await page.getByText('must be a time in ISO 8601').waitFor()
      await expectUsable(window, 'new key')
      const made = await newKey('Create', {
        Name: 'back office',
        Scopes: 'play and manage',
        Ends: '2999-01-31',
        'Allowed addresses': '127.0.0.1 ::1\n10.0.0.0/8',
      })
      const script = createOperator(world.service.client, made.apiKey)
      const descendant = await script.post(`/${casino.id}/api-keys`, {
        name: 'made by <b>script</b>',
        expires_at: '2998-01-01',
        allowed_addresses: ['10.0.0.0/8'],
      })
      expect(descendant.status, descendant.text).to.equal(201)
      await page.reload()
      await page.getByText('made by <b>script</b>').waitFor()
      expect(await page.content()).not.to.contain(made.apiKey)
      await expectUsable(window, 'keys')

      const other = await world.service.factory.casino()
      await page.reload()
      await page.getByRole('button', { name: 'Create a key' }).click()
      const kept = await newKey('Create', { Name: 'kept' })
      const keptRow = page.getByRole('button', { name: `Rotate ${kept.id}` })
      await page.locator('.casino select').selectOption(other.id)
      await keptRow.waitFor({ state: 'hidden' })
      expect(await page.content(), 'on the page of another casino').not.to.contain(kept.apiKey)
      await page.locator('.casino select').selectOption(casino.id)
      await keptRow.waitFor()
      expect(await page.content(), 'back again').not.to.contain(kept.apiKey)

      await page.getByRole('button', { name: `Rotate ${made.id}` }).click()
      const rotated = await newKey('Rotate', { 'The old key': 'stays valid for an hour' })
      await page.getByText(`instead of ${made.id}, by admin`).waitFor()

      await page.getByRole('button', { name: `Revoke ${rotated.id}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('made by <b>script</b>').waitFor()
      await expectUsable(window, 'revoking a key')
      await send(window, 'Revoke')
      await page
        .getByText(`The key ${rotated.id} is revoked. With it ended ${textAt(descendant, 'data.key_id')}.`)
        .waitFor()
      await page.getByRole('button', { name: `Revoke ${made.id}` }).click()
      await dialog.getByText('No other key ends with it.').waitFor()
      expect(unexpected(window)).to.deep.equal([])
    },
  )

  itInLongForm('has items, whose stock can be increased in the boxes that have them', async () => {
    const window = await open(`/casinos/${casino.id}/items`)
    const { page } = window
    await page.getByRole('button', { name: 'Create an item' }).click()
    await send(window, 'Create', { Id: 'mug', Name: 'Mug', Cashback: '5', 'Image URL': 'a picture' })
    await page.getByText('Write a currency').waitFor()
    await send(window, 'Create', { Currency: 'eur' })
    await page.getByText('image_url must be').waitFor()
    await expectUsable(window, 'new item')
    await send(window, 'Create', { 'Image URL': 'https://example.com/mug.png', 'Days to claim': '30' })
    await page.getByRole('link', { name: 'Mug' }).waitFor()
    await page.getByRole('button', { name: 'Create an item' }).click()
    await send(window, 'Create', { Id: 'mug', Name: 'Another mug' })
    await page.getByText('This id is in use.').waitFor()
    const spins = '20 <spins> \u202e'
    await send(window, 'Create', {
      Id: spins,
      Name: 'x'.repeat(200),
      Kind: 'bonus: is given by the casino, such as free spins',
    })
    await page.getByRole('link', { name: 'xxx' }).waitFor()
    await expectUsable(window, 'items')

    const box = {
      name: 'Daily',
      access: 'granted',
      entries: [
        { item_id: 'mug', weight: 1, stock: 10 },
        { item_id: spins, weight: 99 },
      ],
      fallback_item_id: spins,
    }
    const script = createOperator(world.service.client, casino.apiKey)
    const put = await script.put(`/${casino.id}/boxes/daily`, box)
    expect(put.status, put.text).to.equal(200)
    await page.getByRole('link', { name: 'xxx' }).click()
    const stock = page.getByRole('table', { name: 'Boxes and stock' })
    await stock.getByRole('cell', { name: 'instead of what is out of stock' }).waitFor()
    await stock.getByRole('cell', { name: '99' }).waitFor()
    await page.getByRole('link', { name: 'Items' }).first().click()
    await page.getByRole('link', { name: 'Mug' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Cashback').inputValue()).to.equal('5.00')
    const meanwhile = { name: 'Cup', kind: 'physical' }
    expect((await script.put(`/${casino.id}/items/mug`, meanwhile)).status).to.equal(200)
    await send(window, 'Save', { Cashback: '7.50' })
    await page.getByRole('region', { name: 'How it is now' }).waitFor()
    expect((await script.get(`/${casino.id}/items/mug`)).json).to.have.nested.property('data.name', 'Cup')
    await send(window, 'Save')
    await page.getByText('€7.50').waitFor()
    await page.getByRole('button', { name: 'Add to the stock in daily' }).click()
    await send(window, 'Publish', { 'How many more': '0' })
    await page.getByText('Write a whole number from 1.').waitFor()
    await expectUsable(window, 'more stock')
    await send(window, 'Publish', { 'How many more': '5' })
    await page.getByText('15 are left now.').waitFor()
    await expectUsable(window, 'item')
    await page.getByRole('link', { name: 'daily', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Daily' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Mug' }).waitFor()
    const published = await script.get(`/${casino.id}/boxes/daily`)
    expect(published.json).to.have.nested.property('data.version', 2)
    expect(published.json).to.have.nested.property('data.entries[0].remaining', 15)
    expect(published.json).to.have.nested.property('data.entries[1].weight', 99)

    await page.keyboard.press('/')
    await page.keyboard.type('mug\n')
    await page.getByRole('row', { name: casino.id }).getByRole('link', { name: 'mug', exact: true }).click()
    await page.getByRole('button', { name: 'Add to the stock in daily' }).click()
    await page.getByLabel('How many more').waitFor()
    await script.put(`/${casino.id}/boxes/daily`, { ...box, name: 'Weekly' })
    await send(window, 'Publish', { 'How many more': '5' })
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(unexpected(window)).to.deep.equal([])
  })

  itInLongForm('shows the grants of the casino, the newest first, of one box, or of one player', async () => {
    const { factory, database } = world.service
    const entries = [{ itemId: await factory.item(casino.id), weight: 1 }]
    for (const boxId of ['gold', 'silver']) await factory.box(casino.id, { boxId, entries })
    const window = await open(`/casinos/${casino.id}/grants`, { role: 'viewer' })
    const { page, complaints } = window
    await page.getByText('Nobody has been granted openings yet.').waitFor()
    await database.grant.createMany({
      data: ['last', 'first', 'middle'].map((id, index) => ({
        casinoId: casino.id,
        id,
        playerId: index === 1 ? 'bob' : 'ann<script>\u202e',
        boxId: index === 2 ? 'silver' : 'gold',
        count: 5,
        createdAt: new Date(Date.UTC(2026, 0, 1 + index)),
      })),
    })
    await page.reload()
    const rows = page.getByRole('table', { name: 'Grants' }).locator('tbody tr')
    const ids = () => rows.locator('td[data-name="Grant"]').allTextContents()
    await rows.nth(2).waitFor()
    expect(await ids()).to.deep.equal(['middle', 'first', 'last'])
    await expectUsable(window, 'grants of a casino')
    const filters = page.getByRole('search', { name: 'This list' })
    const filter = async (label: string, text: string, count: number) => {
      await filters.getByLabel(label).fill(text)
      await filters.getByRole('button', { name: 'Filter' }).click()
      await eventually('the list is filtered', async () => (await rows.count()) === count)
    }
    await filter('Box', 'gold', 2)
    expect(await ids()).to.deep.equal(['first', 'last'])
    expect(new URL(page.url()).search).to.equal('?box_id=gold')
    await page.reload()
    await rows.nth(1).waitFor()
    expect(await ids(), 'the address has the filter').to.deep.equal(['first', 'last'])
    await filter('Player', 'bob', 1)
    expect(await ids()).to.deep.equal(['first'])
    await filter('Grant', 'last', 0)
    await page.getByText('No grant fits.').waitFor()
    await filter('Grant', 'first', 1)
    expect(await ids()).to.deep.equal(['first'])
    await filter('Grant', '', 1)
    await filter('Box', '', 1)
    await rows.getByRole('link', { name: 'gold' }).waitFor()
    await window.goTo(`/casinos/${casino.id}/grants?box_id=bronze`)
    await page.getByText('There are no grants of this box.').waitFor()
    await page.route(/\/admin\/.*\/grants\?/, (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).to.deep.equal([])
  })

  itInLongForm('grants openings to one player, or to those of a file when every line is valid', async () => {
    const { factory, database } = world.service
    const itemId = await factory.item(casino.id)
    await factory.box(casino.id, { boxId: 'vip', entries: [{ itemId, weight: 1 }] })
    const window = await open(`/casinos/${casino.id}/grants`, { role: 'finance' })
    const { page } = window
    await page.getByRole('button', { name: 'Grant openings' }).click()
    await send(window, 'Grant', { Player: 'jane <b>', Box: 'nowhere', Openings: '2', Expires: 'soon' })
    await page.getByText('must be a time in ISO 8601').waitFor()
    await expectUsable(window, 'new grant')
    await send(window, 'Grant', { Expires: '2999-01-31' })
    await page.getByText('Box not found').waitFor()
    await send(window, 'Grant', { Box: 'vip' })
    await page.getByText('2 openings of vip more').waitFor()
    await page.getByRole('search', { name: 'This list' }).getByLabel('Player').fill('jane <b>')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('0 of 2').waitFor()
    await expectUsable(window, 'grants')

    await page.getByRole('link', { name: 'From a CSV file' }).click()
    const choose = (text: string | Buffer) =>
      page.getByLabel('CSV file').setInputFiles({
        name: 'may bonus.csv',
        mimeType: 'text/csv',
        buffer: typeof text === 'string' ? Buffer.from(text) : text,
      })
    await choose(Buffer.from('player_id,box_id,count\njös,vip,1', 'latin1'))
    await page.getByText('The file is not in UTF-8').waitFor()
    const bad = Array.from({ length: 150 }, (_, index) => `player-${index},nowhere,1`)
    await choose(['player_id,box_id,count', 'a,vip,1', ...bad, ',vip,none'].join('\r\n'))
    await page.getByText('152 problems: nothing can be sent.').waitFor()
    await page.getByRole('button', { name: 'Next of bad lines' }).click()
    await page.getByRole('cell', { name: '153' }).first().waitFor()
    expect(await page.getByRole('heading', { name: 'Grant them' }).count()).to.equal(0)
    await expectUsable(window, 'bad lines')

    const players = Array.from({ length: 2_200 }, (_, index) => `"player ""${index}""";vip;1;2999-01-31`)
    const lines = [
      '\ufeffplayer_id;box_id;count;expires_at',
      ...players,
      'jane <b>;vip;3;',
      'jane <b>;vip;4;',
    ]
    await choose(lines.join('\r\n'))
    await page.getByText('Every line is right. Nothing was sent yet.').waitFor()
    await page.getByText('Line 2202 has the same player and box').waitFor()
    expect(await database.grant.count({ where: { casinoId: casino.id } })).to.equal(1)
    const form = page.locator('section', { has: page.getByRole('heading', { name: 'Grant them' }) })
    expect(await form.getByLabel('Name of the batch').inputValue()).to.equal('may bonus')
    // The second request finds the service busy; the fourth is carried out and gets no answer.
    const keys: string[] = []
    await page.route('**/grants', async (route) => {
      keys.push((await route.request().headerValue('idempotency-key')) ?? '')
      if (keys.length === 2) {
        return route.fulfill({ status: 503, headers: { 'Retry-After': '0', 'X-Error-Code': 'overloaded' } })
      }
      if (keys.length !== 4) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await form.getByLabel('Reason').fill('May bonus')
    await form.getByRole('button', { name: 'Make 2,202 grants' }).click()
    await form.getByText('Lines 2002 to 2203 may have been granted').waitFor()
    await form.getByText('It could not be completed').waitFor()
    await form.getByText('2,000 of 2,202 lines are done').waitFor()
    await expectUsable(window, 'grants that were cut off')
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.getByText('Complete. 2,202 of 2,202 lines are done: 2,202 grants were made.').waitFor()
    expect(keys[1], 'the busy page').to.equal(keys[2])
    expect(keys[3], 'the page without an answer').to.equal(keys[4])
    await page.unroute('**/grants')
    await expectUsable(window, 'grants from a file')

    await page.reload()
    await choose(lines.join('\r\n'))
    await form.getByLabel('Reason').fill('Was it complete?')
    await form.getByRole('button', { name: 'Make 2,202 grants' }).click()
    await form.getByText('2,202 were there already').waitFor()
    expect(await database.grant.count({ where: { casinoId: casino.id } })).to.equal(2_203)
    await choose(lines.join('\r\n').replace('jane <b>;vip;4', 'jane <b>;vip;5'))
    await form.getByLabel('Reason').fill('Another one')
    await form.getByRole('button', { name: 'Make 2,202 grants' }).click()
    await form.getByText('Lines 2002 to 2203 were not granted').waitFor()
    await form.getByText('another name of the batch makes other ids').waitFor()
    expect(await database.grant.count({ where: { casinoId: casino.id } })).to.equal(2_203)
    expect(unexpected(window).filter((text) => !/503|ERR_FAILED/.test(text))).to.deep.equal([])
  })

  itInLongForm('offers viewers only actions that are allowed, and is usable in the dark', async () => {
    const window = await open(`/casinos/${casino.id}`, { role: 'viewer', colorScheme: 'dark' })
    const { page, goTo } = window
    const buttons = page.locator('main button:not(.quiet)')
    for (const [path, shown] of [
      ['', 'Quotas'],
      ['/keys', 'End of the list.'],
      ['/items', 'The casino has no items yet.'],
      ['/grants', 'Nobody has been granted openings yet.'],
    ] as const) {
      await goTo(`/casinos/${casino.id}${path}`)
      await page.getByText(shown).first().waitFor()
      expect(await buttons.allTextContents(), path).to.deep.equal(path === '/grants' ? ['Filter'] : [])
      await keepPicture(window, `dark ${path}`)
      expect(await window.findBarriers(), path).to.deep.equal([])
    }
    await goTo('/casinos')
    await page.getByRole('link', { name: casino.id, exact: true }).waitFor()
    expect(await buttons.allTextContents()).to.deep.equal(['Filter'])
    const some = await open('/casinos', { casinoIds: [casino.id] })
    await some.page.getByRole('link', { name: casino.id, exact: true }).waitFor()
    expect(await some.page.locator('main button:not(.quiet)').allTextContents()).to.deep.equal(['Filter'])
    await some.goTo(`/casinos/${casino.id}`)
    await some.page.getByRole('button', { name: 'Change Privacy' }).waitFor()
    expect(await some.page.getByRole('button', { name: /Change (Quotas|Rate limits)/ }).count()).to.equal(0)
  })
})
