import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { followDockerfile } from './dockerfile.ts'
import type { Stage } from './dockerfile.ts'

const project = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/**
 * The image as nearly as a machine without a Debian root can make it: this machine runs the steps itself, the packages are
 * not fetched but taken from this checkout, and npm stays offline. `folder` must not be below the checkout, where Node
 * would find what the image lacks.
 */
export function makeShippedTree(folder: string): Promise<Stage> {
  return followDockerfile(folder, project, async ({ layer, workdir }, step) => {
    const cwd = join(layer, workdir)
    await (/^npm ci\b/.test(step) ? linkPackages(join(cwd, 'node_modules')) : runStep(cwd, step))
  })
}

/** Types are not checked: the build's output does not depend on them, and `npm run types` checks them. */
async function runStep(cwd: string, step: string): Promise<void> {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  await run('sh', ['-c', step.replace('npm run build', 'npm run build -- --noCheck')], {
    cwd,
    env: { ...env, NODE_ENV: '' },
    maxBuffer: 10_000_000,
  })
}

/**
 * The packages as `npm ci` installs them: the same files under other names, which take no room. `cp` makes tens of
 * thousands of them in a tenth of the time. Across disks, and where it cannot link, the files are copied.
 */
async function linkPackages(to: string): Promise<void> {
  const packages = join(project, 'node_modules')
  await mkdir(dirname(to), { recursive: true })
  await run('cp', ['-al', packages, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-R', packages, to])
  })
  await rm(join(to, '.cache'), { recursive: true, force: true })
  // npm writes into this one, which is not to be the checkout's.
  const list = '.package-lock.json'
  await rm(join(to, list), { force: true })
  await copyFile(join(packages, list), join(to, list))
}
