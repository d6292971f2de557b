import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { dashboards, fileOf, renderDashboard } from './dashboards/render.ts'

const usage = `npm run docs:dashboards

Makes deploy/grafana/*.json of tools/dashboards; a test compares them.`

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const folder = join(import.meta.dirname, '../deploy/grafana')
  for (const dashboard of dashboards)
    writeFileSync(join(folder, fileOf(dashboard)), renderDashboard(dashboard))
  return exitCodes.done
})
