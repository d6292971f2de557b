import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { runApi } from './run.ts'

await runMain(serviceHelp('start:api', 'the API'), async (args) => {
  parseArgs({ args, options: serviceOptions })
  await runApi(readConfig())
  return exitCodes.done
})
