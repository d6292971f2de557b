import { createApp } from '../../api/app.ts'
import { createApiDeps } from '../../api/deps.ts'
import { startServer } from '../../api/server.ts'
import { renderOpening } from '../../api/success-body.ts'
import { createLaneBatcher } from '../../core/batch/lane-batcher.ts'
import { createOpenBoxes } from '../../core/box/open-boxes.ts'
import type { ActiveSeed, LoadActiveSeeds } from '../../core/fairness/seeds.ts'
import { readConfig } from '../../core/platform/config.ts'
import { stopOnSignals } from '../../core/platform/lifecycle.ts'
import { watchSignals } from '../../core/platform/signals.ts'
import { randomNumber } from './random-number.ts'

/**
 * The API as it is, except that openings are drawn from the system's random source: no HMAC. Its database lacks the two
 * indexes that only the evidence needs (services.ts). What it keeps: the columns of the evidence, and the statements'
 * looks at the seed.
 */
const config = readConfig()
const { deps, close } = createApiDeps(config)
const { database, clock, loadActiveSeeds } = deps
const server = await startServer(
  createApp({
    ...deps,
    openBox: createLaneBatcher({
      ...createOpenBoxes({
        database,
        clock,
        loadActiveSeeds: drawingAtRandom(loadActiveSeeds),
        responseTo: renderOpening,
      }),
      laneOf: (request) => request.casinoId,
      exclusiveKeyOf: (request) => `${request.casinoId}\n${request.playerId}`,
      onBatch: deps.metrics.observeBatch('box_open'),
    }),
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

/** Nobody rotates seeds here: this service has no worker. */
function drawingAtRandom(load: LoadActiveSeeds): LoadActiveSeeds {
  const loaded = new Map<string, ActiveSeed>()
  return async (casinoIds) => {
    const missing = casinoIds.filter((casinoId) => !loaded.has(casinoId))
    if (missing.length > 0) {
      for (const [casinoId, seed] of await load(missing)) {
        loaded.set(casinoId, { ...seed, createDrawSource: () => randomNumber })
      }
    }
    return loaded
  }
}
