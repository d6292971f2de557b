import { readConfig } from '../../core/platform/config.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { variablesOf } from '../run-service.ts'
import type { ServiceEnvironment } from '../run-service.ts'
import { apart } from './sized.ts'
import { timeStatements } from './time-statements.ts'

type Loops = ReturnType<typeof createLoops>

/**
 * The loops of a worker with these further settings, in this process. They run when they are called. `onStatement` is told
 * how long each of their statements took, in milliseconds.
 */
export async function withLoops<Result>(
  environment: ServiceEnvironment,
  { settings = {}, onStatement }: { settings?: NodeJS.ProcessEnv; onStatement?: (tookMs: number) => void },
  work: (loops: Loops) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ ...variablesOf(apart, environment), LOG_LEVEL: 'silent', ...settings })
  const { deps, close } = createWorkerDeps(config)
  try {
    await deps.compareClocks.tryOnce()
    const database = onStatement === undefined ? deps.database : timeStatements(deps.database, onStatement)
    return await work(createLoops({ ...deps, database }, startLines(deps), () => undefined))
  } finally {
    await close()
  }
}
