import { expect } from 'chai'
import { createHttpClient } from '../../../core/partner/http-client.ts'
import type { HttpClient, OutboundRequest } from '../../../core/partner/http-client.ts'
import type { ReceiverOutcome } from '../../../core/partner/receiver-outcome.ts'
import { newSigningSecret } from '../../../core/partner/signature.ts'
import { callReceiver, parseRetryAfter } from '../../../core/partner/webhook-receiver.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { startFakeReceiver, verifyCall } from '../../support/fake-receiver.ts'
import type { FakeReceiver, Treatment } from '../../support/fake-receiver.ts'

describe('calling a webhook receiver', () => {
  let client: HttpClient
  let receiver: FakeReceiver
  const secrets = [newSigningSecret(), newSigningSecret()]

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    client = createHttpClient({ allowPrivateAddresses: true })
    atTestEnd(() => client.close())
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
  })

  const call = (url = receiver.url) =>
    callReceiver(client.send, {
      casinoId: 'lucky',
      url,
      secrets,
      id: 'evt_7',
      body: '{"id":"evt_7","type":"prize.won"}',
      sentAt: new Date(),
    })
  const treated = (treatment: Treatment): Promise<ReceiverOutcome> => {
    receiver.treat(() => treatment)
    return call()
  }
  const failure = (status: number | null, problem: string, retryAfterMs: number | null = null) => ({
    kind: 'failed',
    status,
    problem,
    retryAfterMs,
  })

  it('sends a message that every secret verifies', async () => {
    expect(await call()).to.deep.equal({ kind: 'delivered', status: 204 })
    const [received] = receiver.received
    if (received === undefined) throw new Error('nothing was received')
    for (const secret of secrets)
      expect(verifyCall(secret, received)).to.deep.equal({ id: 'evt_7', type: 'prize.won' })
    expect(received.headers).to.include({ 'webhook-id': 'evt_7', 'content-type': 'application/json' })
    expect(() => verifyCall(newSigningSecret(), received)).to.throw()
  })

  it('treats any 2xx as success, and nothing else', async () => {
    for (const status of [200, 201, 202, 299])
      expect(await treated(status)).to.deep.equal({ kind: 'delivered', status })
    for (const status of [400, 401, 404, 409, 500, 502])
      expect(await treated(status)).to.deep.equal(failure(status, 'refused'))
    expect(await treated(410)).to.deep.equal({ kind: 'gone', status: 410, problem: 'gone' })
  })

  it('follows no redirect', async () => {
    const headers = { Location: `${receiver.url}/elsewhere` }
    for (const status of [301, 302, 307, 308])
      expect(await treated({ status, headers })).to.deep.equal(failure(status, 'redirected'))
    expect(receiver.received.map(({ path }) => path)).to.not.include('/elsewhere')
  })

  it('reads how long a busy receiver asks to be left alone', async () => {
    const after = (status: number, value: string) => treated({ status, headers: { 'Retry-After': value } })
    for (const status of [429, 503])
      expect(await after(status, '120')).to.deep.equal(failure(status, 'refused', 120_000))
    expect(await after(500, '120')).to.deep.equal(failure(500, 'refused'))
    const soon = await after(503, new Date(Date.now() + 60_000).toUTCString())
    expect(soon.kind === 'failed' ? soon.retryAfterMs : 0).to.be.within(50_000, 60_000)
    for (const nonsense of ['soon', '-5', '1e9', '0x10', '2027-01-01', '9'.repeat(30)])
      expect(await after(429, nonsense), nonsense).to.deep.equal(failure(429, 'refused'))
  })

  it('survives receivers that die, send garbage or answer twice', async () => {
    expect(await treated('die before answering')).to.deep.equal(failure(null, 'connection_lost'))
    expect(await treated('die in the answer')).to.deep.equal(failure(null, 'connection_lost'))
    expect(await treated('garbage')).to.deep.equal(failure(null, 'connection_lost'))
    expect(await treated('answer twice')).to.deep.equal({ kind: 'delivered', status: 200 })
    expect(await treated(204)).to.deep.equal({ kind: 'delivered', status: 204 })
  })

  it('gives up after ten seconds, and says why nothing was sent', async () => {
    const sent: OutboundRequest[] = []
    const outcome = await callReceiver(
      (request) => {
        sent.push(request)
        return Promise.resolve({ kind: 'no_answer', reason: 'timeout' })
      },
      { casinoId: 'lucky', url: receiver.url, secrets, id: 'evt_1', body: '{}', sentAt: new Date() },
    )
    expect(sent.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([10_000])
    expect(outcome).to.deep.equal(failure(null, 'timeout'))
    await receiver.stop()
    expect(await call()).to.deep.equal(failure(null, 'connection_refused'))
    expect(await call('http://name.invalid/')).to.deep.equal(failure(null, 'name_unknown'))
  })

  it('reads Retry-After in seconds or as a date in the future', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(parseRetryAfter('Fri, 20 Nov 2026 12:01:00 GMT', now)).to.equal(60_000)
    expect(parseRetryAfter('Fri, 20 Nov 2026 11:59:00 GMT', now)).to.equal(null)
    expect(parseRetryAfter('0', now)).to.equal(0)
    expect(parseRetryAfter(undefined, now)).to.equal(null)
    expect(parseRetryAfter('Xxx, 99 Foo 2026 12:01:00 GMT', now)).to.equal(null)
  })
})
