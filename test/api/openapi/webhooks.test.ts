import { expect } from 'chai'
import type { OpenApiDocument, ParameterObject } from '../../../api/openapi/openapi-types.ts'
import { eventTypes } from '../../../core/event/event-types.ts'
import { createHttpProvider } from '../../../core/partner/fulfilment-provider.ts'
import type { FulfilmentProvider } from '../../../core/partner/fulfilment-provider.ts'
import { newSigningSecret } from '../../../core/partner/signature.ts'
import { createHttpWallet } from '../../../core/partner/wallet.ts'
import type { WalletRequest } from '../../../core/partner/wallet-request.ts'
import { systemClock } from '../../../core/platform/clock.ts'
import { readBlocks, readDocument } from '../../docs/markdown.ts'
import { apiDocument, createValidator, findProblem } from '../../support/api-document.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import { startHttpServer } from '../../support/partner-server.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import { at, textAt } from '../admin/operator.ts'
import { itInLongForm } from '../../support/runs.ts'

const { schemas } = apiDocument.components

function callNamed(name: string): OpenApiDocument['webhooks'][string]['post'] {
  const found = apiDocument.webhooks[name]
  if (found === undefined) throw new Error(`no webhook ${name}`)
  return found.post
}

function bodyOf(name: string): { schema: object; example?: unknown } {
  const media = callNamed(name).requestBody?.content['application/json']
  if (media === undefined) throw new Error(`${name} has no body`)
  return media
}

/** The problems of a call that the service made: its body and each header against their schemas. */
function problemsOf(name: string, headers: Readonly<Record<string, unknown>>, body: unknown): string[] {
  const { parameters = [] } = callNamed(name)
  const wrong = parameters.flatMap(({ name: header, schema }: ParameterObject) => {
    const problem = findProblem(schema, headers[header.toLowerCase()])
    return problem === undefined ? [] : [`${header}: ${problem}`]
  })
  return [...wrong, ...[findProblem(bodyOf(name).schema, body) ?? []].flat()]
}

/** The name of the webhook for a call of a wallet or a provider, by the `type` in its body. */
function nameOf(type: unknown, pings: string): string {
  if (type === 'ping') return pings
  const found = Object.entries(apiDocument.webhooks).find(([, { post }]) => {
    const { $ref = '' } = post.requestBody?.content['application/json']?.schema ?? {}
    return schemas[$ref.split('/').at(-1) ?? '']?.properties?.['type']?.const === type
  })
  return found?.[0] ?? `of ${String(type)}`
}

describe('the webhooks of the OpenAPI document', () => {
  const atTestEnd = atEndOfTest()

  it('have every type of event under its own name, and no others', () => {
    const { oneOf = [], discriminator } = schemas['WebhookEvent'] ?? {}
    const types = [...eventTypes, 'webhook.test']
    expect(Object.keys(discriminator?.mapping ?? {})).to.have.members(types)
    expect(oneOf.map(({ $ref }) => $ref)).to.have.members(Object.values(discriminator?.mapping ?? {}))
    for (const [type, ref] of Object.entries(discriminator?.mapping ?? {})) {
      const schema = schemas[ref.split('/').at(-1) ?? '']
      expect(schema?.properties?.['type'], ref).to.deep.include({ const: type })
    }
  })

  it('have names, descriptions, headers and examples that are valid against their schemas', () => {
    const paths = Object.values(apiDocument.paths).flatMap((methods) => Object.values(methods))
    const names = paths.map(({ operationId }) => operationId)
    for (const [name, { post }] of Object.entries(apiDocument.webhooks)) {
      expect(name)
        .to.equal(post.operationId)
        .and.to.match(/^[a-z]+([A-Z][a-z]+)+$/)
      expect(names).not.to.include(name)
      expect(post.description).to.match(/^.{10,}\.$/s)
      for (const { name: header, schema, example } of post.parameters ?? []) {
        expect(findProblem(schema, example), `${name} ${header}`).to.equal(undefined)
      }
      const answers = Object.values(post.responses).flatMap((one) =>
        '$ref' in one ? [] : Object.values(one.content ?? {}),
      )
      for (const { schema, example } of [bodyOf(name), ...answers]) {
        expect(findProblem(schema, example), `${name} ${JSON.stringify(example)}`).to.equal(undefined)
      }
    }
  })

  it('accept the examples of webhooks.md, wallets.md and fulfilment.md in docs/integrate', () => {
    const [event = ''] = readBlocks(readDocument('docs/integrate/webhooks.md'), 'json')
    expect(findProblem(bodyOf('receiveEvent').schema, JSON.parse(event))).to.equal(undefined)
    let requests = 0
    for (const page of ['docs/integrate/wallets.md', 'docs/integrate/fulfilment.md']) {
      for (const block of readBlocks(readDocument(page), 'http')) {
        const [head = '', body = ''] = block.trim().split('\n\n')
        const headers = Object.fromEntries(
          head
            .split('\n')
            .slice(1)
            .map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1]]),
        )
        const json = JSON.parse(body) as { type: string }
        expect(problemsOf(nameOf(json.type, ''), headers, json), page).to.deep.equal([])
        requests += 1
      }
    }
    expect(requests).to.equal(2)
    const [debit = ''] = readBlocks(readDocument('docs/integrate/wallets.md'), 'json')
    expect(findProblem(bodyOf('debitCashback').schema, JSON.parse(debit))).to.equal(undefined)
  })

  it('match the requests that receivers, wallets and providers get', async function () {
    this.timeout(60_000)
    const world = await startWebhookWorld()
    atTestEnd(() => world.stop())
    const { service, casino, operator } = world
    const [receiver, wallet] = [await startFakeReceiver(), await startFakeWallet()]
    atTestEnd(() => receiver.stop())
    atTestEnd(() => wallet.stop())
    const secret = newSigningSecret()
    const provider = await startFakeProvider(secret)
    atTestEnd(() => provider.stop())
    const worker = service.startWorker()
    atTestEnd(() => worker.stop())
    await world.putEndpoint('crm', receiver)
    const path = `/${casino.id}`
    const partner = { kind: 'http', timeout_ms: 2_000 }
    for (const [name, setting] of Object.entries({
      wallet: { ...partner, url: wallet.url, secret: wallet.secret },
      fulfilment: { ...partner, url: provider.url, secret, poll_minutes: 60 },
    })) {
      expect((await operator.put(`${path}/settings/${name}`, setting)).status).to.equal(200)
    }
    await operator.post(`${path}/webhook-endpoints/crm/test`)

    const paid = await service.factory.prize(casino.id)
    await service.client.post('/prize/cashback', casino.apiKey, {
      player_id: paid.playerId,
      prize_id: paid.prizeId,
    })
    const cashbackId = async () => textAt(await operator.get(`${path}/cashbacks`), 'data.0.cashback_id')
    const cashbackState = async (state: string) =>
      eventually(state, async () => at(await operator.get(`${path}/cashbacks`), 'data.0.state') === state)
    await cashbackState('credited')
    const reversed = await operator.post(`${path}/cashbacks/${await cashbackId()}/reverse`, {
      reason: 'Credited by mistake',
      prize: 'return',
    })
    expect(reversed.status, reversed.text).to.equal(200)
    await cashbackState('reversed')

    const sent = await service.factory.prize(casino.id)
    await service.client.post('/prize/order', casino.apiKey, {
      player_id: sent.playerId,
      prize_id: sent.prizeId,
      ...delivery,
    })
    const orderId = textAt(await operator.get(`${path}/prizes/${sent.prizeId}`), 'data.orders.0.order_id')
    const order = `${path}/orders/${orderId}`
    await operator.post(`${order}/hold`, { hold_reason: 'kyc_pending' })
    await operator.post(`${order}/release`, { hold_reason: 'kyc_pending' })
    expect((await operator.post(`${order}/confirm`)).status).to.equal(200)
    const orderState = async (state: string) =>
      eventually(state, async () => at(await operator.get(order), 'data.state') === state)
    await orderState('submitted')
    expect((await operator.post(`${order}/cancel`, { reason: 'Not wanted' })).status).to.equal(200)
    await orderState('cancelled')
    await operator.post(`${path}/prizes/${sent.prizeId}/void`, { reason: 'A test' })
    await operator.post(`${path}/webhook-endpoints/crm/disable`)
    await operator.post(`${path}/webhook-endpoints/crm/enable`)
    await eventually('all is delivered', () => world.isQuiet())

    const { mapping = {} } = schemas['WebhookEvent']?.discriminator ?? {}
    const problems = receiver.received.flatMap(({ headers, body, event }) => {
      if (problemsOf('receiveEvent', headers, event).length === 0) return []
      const problem = findProblem({ $ref: mapping[event.type] ?? 'of no type' }, event)
      return [`${problem ?? 'its headers'}: ${body}`]
    })
    expect(problems.join('\n')).to.equal('')
    const types = new Set(receiver.received.map(({ event }) => event.type))
    expect([...types]).to.include.members([
      'webhook.test',
      'wallet.changed',
      'fulfilment.changed',
      'prize.cashed_back',
      'prize.returned',
      'cashback.credited',
      'cashback.reversed',
      'prize_order.held',
      'prize_order.submission_attempted',
      'prize_order.cancellation_attempted',
      'prize_order.cancelled',
      'webhook_endpoint.disabled',
    ])
    expect(wallet.complaints).to.deep.equal([])
    for (const { headers, body, type } of wallet.calls) {
      expect(problemsOf(nameOf(type, 'pingWallet'), headers, body)).to.deep.equal([])
    }
    expect(wallet.calls.map(({ type }) => type)).to.include.members(['cashback.credit', 'cashback.debit'])
    for (const call of provider.calls) {
      expect(findProblem(bodyOf(nameOf(call.type, 'pingProvider')).schema, call)).to.equal(undefined)
    }
    expect(provider.calls.map(({ type }) => type)).to.include.members(['order.submit', 'order.cancel'])
  })

  itInLongForm(
    'have schemas of answers that accept exactly the answers that the service accepts',
    async function () {
      this.timeout(60_000)
      let answer = { status: 200, body: '' }
      const calls: { headers: Record<string, unknown>; body: unknown }[] = []
      const server = await startHttpServer((request, response) => {
        let body = ''
        request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        request.on('end', () => {
          calls.push({ headers: request.headers, body: JSON.parse(body) })
          response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body)
        })
      })
      atTestEnd(() => server.stop())
      const { createHttpClient } = await import('../../../core/partner/http-client.ts')
      const client = createHttpClient({ allowPrivateAddresses: true })
      atTestEnd(() => client.close())
      const deps = { send: client.send, clock: systemClock }
      const target = { casinoId: 'lucky', url: server.url, secrets: [newSigningSecret()], timeoutMs: 5_000 }
      const wallet = createHttpWallet(deps, target)
      const provider = createHttpProvider(deps, target)
      const hex = '0193f2a4c81f7b7d9a3e5c1f00aa11bb'
      const about = {
        cashbackId: `cbk_${hex}`,
        prizeId: `prz_${hex}`,
        playerId: 'p',
        amountMinor: 2n ** 60n,
        currency: 'EUR',
        attempt: 1,
      }
      const credit: WalletRequest = { ...about, operation: 'credit', transactionId: `cbk_${hex}` }
      const debit: WalletRequest = { ...about, operation: 'debit', transactionId: `debit_1_cbk_${hex}` }
      const parcel = { orderId: `ord_${hex}`, shipmentNumber: 1 }
      const submission: Parameters<FulfilmentProvider['submit']>[0] = {
        ...parcel,
        prizeId: `prz_${hex}`,
        item: { id: 'mug', name: 'Mug' },
        delivery,
      }
      const asks: Record<string, () => Promise<{ kind: string }>> = {
        creditCashback: () => wallet.ask(credit),
        debitCashback: () => wallet.ask(debit),
        submitShipment: () => provider.submit(submission),
        cancelShipment: () => provider.cancel(parcel),
        askShipmentStatus: () => provider.askStatus(parcel),
      }
      const money = { amount_minor: 500, currency: 'EUR' }
      const code = (value: unknown) => ({ status: 'declined', code: value })
      const bodies: unknown[] = [
        ...['credited', 'debited', 'already_processed', 'declined'].map((status) => ({ status })),
        ...['accepted', 'rejected', 'cancelled', 'refused', 'pending', 'shipped', 'lost'].map((status) => ({
          status,
        })),
        ...['credited', 'debited', 'already_processed'].flatMap((status) => [
          { status, ...money },
          { status, ...money, amount_minor: '9223372036854775807', reference: 'b-1', more: 1 },
          { status, amount_minor: 500 },
          { status, currency: 'EUR' },
          { status, ...money, amount_minor: 0 },
          { status, ...money, amount_minor: 1.5 },
          { status, ...money, currency: 'eur' },
        ]),
        ...['player_blocked', 'insufficient_funds', 'limit_exceeded', 'duplicate', 7, null].map(code),
        ...['address_invalid', 'rejected', 'busy', null].map((one) => ({ status: 'rejected', code: one })),
        { status: 'accepted', reference: 'r-1' },
        { status: 'shipped', occurred_at: '2026-11-20T09:30:00Z', carrier: 'Post', tracking_number: null },
        { status: 'exception', occurred_at: '2026-11-20T09:30:00Z', reason: 'lost' },
        { status: 'shipped', occurred_at: 'yesterday' },
        { status: 'shipped', occurred_at: '2026-11-20T09:30:00Z', carrier: 'x'.repeat(201) },
        [],
        {},
        'accepted',
        null,
        1,
      ]
      // As published: answers may have more fields.
      const published = createValidator()
      for (const [name, schema] of Object.entries(schemas)) {
        published.addSchema(schema, `#/components/schemas/${name}`)
      }
      let taken = 0
      for (const [name, ask] of Object.entries(asks)) {
        const { responses } = callNamed(name)
        for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 409, 422, 500, 503]) {
          const response = responses[String(status)]
          const media =
            response === undefined || '$ref' in response ? undefined : response.content?.['application/json']
          const validate = media === undefined ? () => false : published.compile(media.schema)
          for (const body of bodies) {
            answer = { status, body: JSON.stringify(body) }
            const { kind } = await ask()
            const isTaken = !['unknown', 'misconfigured', 'parcel_unknown'].includes(kind)
            const isAllowed = validate(body)
            expect(isTaken, `${name} ${status} ${answer.body}`).to.equal(isAllowed)
            if (kind === 'misconfigured') expect(responses).to.have.property(String(status))
            if (isTaken) taken += 1
          }
        }
        const { headers = {}, body } = calls.at(-1) ?? {}
        expect(problemsOf(name, headers, body)).to.deep.equal([])
      }
      expect(taken).to.be.greaterThan(50)
    },
  )
})
