import { expect } from 'chai'
import { newSigningSecret } from '../../core/partner/signature.ts'
import { atEndOfTest } from './at-end.ts'
import { startFakeProvider } from './fake-provider.ts'
import { startFakeReceiver } from './fake-receiver.ts'
import { startFakeWallet } from './fake-wallet.ts'

describe('the fake partners', () => {
  const atEnd = atEndOfTest()

  it('answer a request without a message id with 404, and count no call', async () => {
    const wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
    const provider = await startFakeProvider(newSigningSecret())
    atEnd(() => provider.stop())
    const receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())

    for (const { url } of [wallet, provider, receiver]) {
      expect((await fetch(new URL('/health/ready', url))).status).to.equal(404)
      expect((await fetch(url, { method: 'POST' })).status).to.equal(404)
    }

    expect([wallet.calls, wallet.complaints, provider.calls, receiver.received]).to.deep.equal([
      [],
      [],
      [],
      [],
    ])
  })
})
