import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import type { Config } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import type { Signals } from '../core/platform/signals.ts'
import { runApi } from './run.ts'

/** Runs a program of the API, with the settings in the environment as `choose` has them. */
export function runProgram(
  signals: Signals,
  { script, name }: { script: string; name: string },
  choose: (config: Config) => Config = (config) => config,
): Promise<void> {
  return runMain(serviceHelp(script, name), async (args) => {
    parseArgs({ args, options: serviceOptions })
    await runApi(choose(readConfig()), signals)
    return exitCodes.done
  })
}
