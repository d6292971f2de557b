import { readConfig } from '../../core/platform/config.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { variablesOf } from '../run-service.ts'
import type { ServiceEnvironment } from '../run-service.ts'
import { apart } from './sized.ts'

/** The loops of a worker with these further settings, in this process. They run when they are called. */
export async function withLoops<Result>(
  environment: ServiceEnvironment,
  settings: NodeJS.ProcessEnv,
  work: (loops: ReturnType<typeof createLoops>) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ ...variablesOf(apart, environment), LOG_LEVEL: 'silent', ...settings })
  const { deps, close } = createWorkerDeps(config)
  try {
    await deps.compareClocks.tryOnce()
    return await work(createLoops(deps, startLines(deps), () => undefined))
  } finally {
    await close()
  }
}
