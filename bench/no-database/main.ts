import { createApp } from '../../api/app.ts'
import { createApiDeps } from '../../api/deps.ts'
import { startServer } from '../../api/server.ts'
import { cashbackRecorded, orderRecorded, renderOpening } from '../../api/success-body.ts'
import type { Batcher } from '../../core/batch/batcher.ts'
import type { Answer } from '../../core/idempotency/idempotency.ts'
import { readConfig } from '../../core/platform/config.ts'
import { stopOnSignals } from '../../core/platform/lifecycle.ts'
import { watchSignals } from '../../core/platform/signals.ts'
import { newId } from '../../core/platform/ids.ts'

/**
 * The API without decisions and writes. It shows the cost of HTTP, authentication, parsing, logging and metrics. Its
 * only query is the look-up of the key, once every two seconds.
 */
const config = readConfig()
const { deps, close } = createApiDeps(config)
const server = await startServer(
  createApp({
    ...deps,
    placeOrder: answering(() => orderRecorded.body),
    requestCashback: answering(() => cashbackRecorded.body),
    openBox: answering(() => renderOpening(createOpening())),
  }),
  config,
)
stopOnSignals({
  signals: watchSignals(),
  log: deps.log,
  timeoutMs: config.shutdownTimeoutMs,
  stop: async () => {
    await server.stop()
    await close()
  },
})

function answering<Input>(body: () => string): Batcher<Input, Answer> {
  return {
    run: () => Promise.resolve({ response: body(), replayed: false }),
    depth: () => 0,
    isFull: () => false,
    room: () => Infinity,
  }
}

function createOpening() {
  const item = {
    id: 'item-1',
    name: 'Coffee maker',
    kind: 'physical',
    description: null,
    imageUrl: null,
    cashback: { amountMinor: 2_500n, currency: 'EUR' },
    claimDays: 30,
  } as const
  const entry = { position: 1, weight: 1n, item, remaining: null, wanted: 0 }
  return {
    id: newId('opn'),
    boxId: 'bench-box',
    version: 1,
    oddsHash: '0'.repeat(64),
    seedId: 'sed_1',
    seedCommitment: '0'.repeat(64),
    nonce: 1n,
    clientSeed: null,
    prizeId: newId('prz'),
    draw: { entry, item, isSubstituted: false, isForced: false, grantId: null },
    expiresAt: null,
  }
}
