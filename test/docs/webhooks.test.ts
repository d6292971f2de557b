import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import { settingNames } from '../../core/casino/setting-values.ts'
import type { SettingName } from '../../core/casino/setting-values.ts'
import { eventTypes } from '../../core/event/event-types.ts'
import { orderTransitions } from '../../core/prize-order/state.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import type { TransitionTable } from '../../core/state-machine.ts'
import { attemptsMax } from '../../core/webhook/decide-delivery.ts'
import { at, createOperator, textAt } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readBlocks, readDocument, readSection } from './markdown.ts'

const document = readDocument('docs/integrate/webhooks.md')
const root = join(import.meta.dirname, '../..')

describe('docs/integrate/webhooks.md', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('has an example of a receiver that accepts the service’s events, and no others', async function () {
    this.timeout(20_000)
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const path = `/${casino.id}/webhook-endpoints/main`
    const secret = textAt(await operator.put(path, { url: 'http://127.0.0.1:1/' }), 'data.secret')
    const [example = ''] = readBlocks(document, 'js')
    const receiver = await startExample(example, secret)
    try {
      await operator.put(path, { url: `http://127.0.0.1:${receiver.port}/` })
      const told = await operator.post(`${path}/test`)
      expect(at(told, 'data'), told.text).to.deep.include({ delivered: true, status: 204 })
      expect(await receiver.nextLine()).to.equal('webhook.test main 0')

      await operator.post(`${path}/rotate-secret`, { overlap_seconds: 0 })
      const refused = await operator.post(`${path}/test`)
      expect(at(refused, 'data')).to.deep.include({ delivered: false, status: 400 })
    } finally {
      await receiver.stop()
    }
  })

  it('shows an event as the feed returns it', async () => {
    const [example = ''] = readBlocks(document, 'json')
    const casino = await service.factory.casino()
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId }
    await service.client.post('/prize/cashback', casino.apiKey, body)
    const feed = await createOperator(service.client, casino.apiKey).get(`/${casino.id}/events`)
    const keysAt = (place: string) => Object.keys(Object(at(feed, place)) as object).sort()
    const shown = JSON.parse(example) as { data: object; object: object }
    expect(Object.keys(shown).sort()).to.deep.equal(keysAt('data.0'))
    expect(Object.keys(shown.object).sort()).to.deep.equal(keysAt('data.0.object'))
  })

  it('lists exactly the types of events of the service', () => {
    const listed = readSection(document, '### Types')
    const [prizes, orders, cashbacks, endpoints, settings] = [...listed.matchAll(/^- `(\w+)`: (.*)$/gm)].map(
      ([, object = '', types = '']) => ({
        object,
        types: types.split(', ').map((type) => type.slice(1, -1)),
      }),
    )
    expect(prizes).to.deep.include({ object: 'prize' })
    const { prize, prize_order, cashback } = namedInCode()
    expect(prizes?.types).to.have.members(unique([...prize, ...statesOf('prize', prizeTransitions)]))
    expect(orders?.object).to.equal('prize_order')
    const moved = statesOf('prize_order', orderTransitions).filter(
      (type) => !type.endsWith('.pending_confirmation'),
    )
    expect(orders?.types).to.have.members(unique([...prize_order, ...moved]))
    expect(cashbacks?.object).to.equal('cashback')
    expect(cashbacks?.types).to.have.members(
      unique([...cashback, ...statesOf('cashback', cashbackTransitions)]),
    )
    expect(endpoints).to.deep.equal({
      object: 'webhook_endpoint',
      types: ['webhook_endpoint.disabled', 'webhook_endpoint.enabled'],
    })
    expect(settings?.object).to.equal('setting')
    const partners = ['wallet', 'fulfilment'] as const satisfies SettingName[]
    expect(settings?.types).to.have.members([
      ...settingNames.map((name) => `${name}.changed`),
      ...partners.flatMap((name) => [`${name}.paused`, `${name}.resumed`]),
    ])
    const all = [prizes, orders, cashbacks, endpoints, settings].flatMap((object) => object?.types ?? [])
    expect([...eventTypes], 'what can be asked for').to.have.members(all)
  })

  it('names the right number of pauses', () => {
    const [, pauses = ''] = /Tried again after (.*?) and then every 24 h/.exec(document) ?? []
    expect(pauses.split(', ').length).to.equal(8)
    expect(attemptsMax, 'the first, eight after these pauses, and four more in days').to.equal(13)
  })
})

const unique = (types: string[]) => [...new Set(types)]

function statesOf(object: string, table: TransitionTable<string>): string[] {
  return Object.keys(table).map((state) => `${object}.${state}`)
}

/** The types that stand in the code itself: in statements, and as the events of steps. */
function namedInCode() {
  const read = (folder: string) =>
    readdirSync(join(root, 'core', folder), { recursive: true, encoding: 'utf8' })
      // The actions of acts are named like events.
      .filter((name) => name.endsWith('.ts') && !name.startsWith('act/'))
      .map((name) => readFileSync(join(root, 'core', folder, name), 'utf8'))
      .join('\n')
  const find = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const all = read('')
  const eventsIn = (folder: string) => [
    ...find(read(folder), /\b(?:event|declinedEvent)(?::| =) '([a-z_]+)'/g),
    // One of two.
    ...find(read(folder), /\bevent = .* \? '([a-z_]+)' : '/g),
    ...find(read(folder), /\bevent = .* \? '[a-z_]+' : '([a-z_]+)'/g),
  ]
  return {
    prize: [
      ...find(all, /'(prize\.[a-z_]+)'/g),
      // One of its own, or else the state.
      ...find(read('prize'), /\bevent: .* \? '([a-z_]+)' : /g).map((event) => `prize.${event}`),
    ],
    prize_order: [
      ...find(all, /'(prize_order\.[a-z_]+)',/g),
      ...eventsIn('prize-order').map((event) => `prize_order.${event}`),
    ],
    cashback: [
      ...find(all, /\btype: '(cashback\.[a-z_]+)'/g),
      ...eventsIn('cashback').map((event) => `cashback.${event}`),
    ],
  }
}

/** The example as a program, which prints its port when it listens. */
async function startExample(example: string, secret: string) {
  const program = `${example}\nserver.on('listening', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  return {
    port: Number(await nextLine()),
    nextLine,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
