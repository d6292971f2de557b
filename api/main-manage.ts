import { parseArgs } from 'node:util'
import { readConfig } from '../core/platform/config.ts'
import { serviceHelp, serviceOptions } from '../core/platform/lifecycle.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { runApi } from './run.ts'

await runMain(serviceHelp('start:manage', 'management, console, documents and metrics'), async (args) => {
  parseArgs({ args, options: serviceOptions })
  const config = readConfig()
  await runApi({ ...config, surfaces: new Set(['manage']), port: config.managePort })
  return exitCodes.done
})
