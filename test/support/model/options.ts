import { isLongForm } from '../runs.ts'

export interface ModelOptions {
  commands: number
  replayPath: string | undefined
  timeoutMs: number
  /** When no more lists are begun. */
  limitMs: number
  parameters: { numRuns: number; seed: number; path?: string }
}

/** The time of `npm test` for this; fewer runs than wanted are not a failure there. The long form has more. */
const usualLimitMs = isLongForm ? 90_000 : 30_000
/** A failure is shortened for so long at most. */
const runMsMax = 10_000

/**
 * The seed and so on from the environment (`npm run test:model` sets it), or else what is given: the same lists of
 * commands every time. The events while they run still differ from run to run, as it does in production.
 */
export function readModelOptions(usual: { runs: number; seed: number; commands: number }): ModelOptions {
  const read = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
  const runs = read('MODEL_RUNS', usual.runs)
  const path = process.env['MODEL_PATH']
  const limitMs = process.env['MODEL_RUNS'] === undefined ? usualLimitMs : runs * runMsMax
  return {
    commands: read('MODEL_COMMANDS', usual.commands),
    replayPath: process.env['MODEL_REPLAY'],
    limitMs,
    timeoutMs: limitMs + 90_000,
    parameters: {
      numRuns: runs,
      seed: read('MODEL_SEED', usual.seed),
      ...(path === undefined ? {} : { path }),
    },
  }
}
