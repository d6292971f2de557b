import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { dashboards, fileOf, renderDashboard } from './dashboards/render.ts'

const usage = `npm run docs:dashboards

Makes deploy/grafana/*.json of tools/dashboards, and copies them and deploy/prometheus/*.rules.yml into the Helm chart;
tests compare them.`

const deploy = join(import.meta.dirname, '../deploy')
/** A chart installs only files of its own folder, and some of its readers, such as Flux, drop symbolic links. */
const copies = { grafana: 'dashboards', prometheus: 'rules' }

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  for (const dashboard of dashboards)
    writeFileSync(join(deploy, 'grafana', fileOf(dashboard)), renderDashboard(dashboard))
  for (const [from, to] of Object.entries(copies)) {
    const folder = join(deploy, 'helm/casino-rewards', to)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const name of readdirSync(join(deploy, from)))
      writeFileSync(join(folder, name), readFileSync(join(deploy, from, name)))
  }
  return exitCodes.done
})
