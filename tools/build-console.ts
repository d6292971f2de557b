import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { buildConsole } from './console/build.ts'

const usage = `npm run console:build

Makes the console of its sources, in dist/console. "npm run build" and every installation do so too.`

await runMain({ usage }, async (args) => {
  parseArgs({ args, options: {} })
  await buildConsole()
  console.log('dist/console has the console')
  return exitCodes.done
})
