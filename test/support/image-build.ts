import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, lstat, mkdir, readFile, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runStepInDebianRoot } from './debian-root.ts'
import type { Loan } from './debian-root.ts'
import { followDockerfile, readBases } from './dockerfile.ts'
import type { Stage } from './dockerfile.ts'

const run = promisify(execFile)

/** The layers of `node:<version>-<release>-slim`, the highest first. */
export type Base = readonly string[]

/**
 * Makes what the Dockerfile begins with of a Debian of debootstrap, as the makers of that image do: with Node, the npm
 * that belongs to it, and a user `node`. The additions are made in `folder`.
 */
export async function makeBase(debian: string, folder: string): Promise<Base> {
  const bases = [...new Set(await readBases())]
  const [, version, release] =
    /^node:(\d+\.\d+\.\d+)-([a-z]+)-slim(?:@sha256:[0-9a-f]{64})?$/.exec(bases.join()) ?? []
  if (version === undefined)
    throw new Error(`the stages have no exact version of Node in common: ${bases.join()}`)
  const { name, packages } = await fetchNode(version, join(folder, 'fetched'))
  const layer = join(folder, 'base')
  const local = join(layer, 'usr/local')
  await mkdir(join(local, 'bin'), { recursive: true })
  await cp(join(packages, name, 'bin/node'), join(local, 'bin/node'))
  await cp(join(packages, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await mkdir(join(layer, 'etc'))
  const user = { passwd: 'node:x:1000:1000::/home/node:/bin/bash', group: 'node:x:1000:' }
  for (const [file, line] of Object.entries(user)) {
    await writeFile(join(layer, 'etc', file), `${await readFile(join(debian, 'etc', file), 'utf8')}${line}\n`)
  }
  // Debian's root lacks some of those that a container has of its machine.
  for (const file of ['hosts', 'resolv.conf']) await writeFile(join(layer, 'etc', file), '')
  const names = await readFile(join(debian, 'etc/os-release'), 'utf8')
  if (!names.includes(`VERSION_CODENAME=${release ?? ''}\n`))
    throw new Error(`${debian} is not ${release ?? ''}`)
  return [layer, debian]
}

/** Node from npm's packages, and the npm that its list of changes names: the package does not have it. */
async function fetchNode(version: string, folder: string): Promise<{ name: string; packages: string }> {
  const name = `node-linux-${process.arch}`
  const packages = join(folder, 'node_modules')
  const install = (what: string) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, what])
  await mkdir(folder, { recursive: true })
  await install(`${name}@${version}`)
  const changes = await readFile(join(packages, name, 'CHANGELOG.md'), 'utf8')
  const [, npmVersion] = /upgrade npm to (\d+\.\d+\.\d+)/.exec(changes) ?? []
  if (npmVersion === undefined) throw new Error(`the changes of Node ${version} name no npm`)
  await install(`npm@${npmVersion}`)
  return { name, packages }
}

/** Builds the image of the context's files, each stage in a root of its own; the layers are made in `folder`. */
export async function buildImage(base: Base, context: string, folder: string): Promise<Stage> {
  const { loans, env } = await lendNetwork()
  await mkdir(join(folder, 'root'), { recursive: true })
  return followDockerfile(folder, context, (stage, step) =>
    runStepInDebianRoot(base, stage, step, loans, env),
  )
}

/** How a step reaches npm's registry: this machine's name servers, certificates and settings, and npm's cache. */
async function lendNetwork(): Promise<{ loans: Loan[]; env: Record<string, string> }> {
  const { stdout } = await run('npm', ['config', 'list', '--json'])
  const settings = JSON.parse(stdout) as Record<string, unknown>
  const loans: Loan[] = [
    ['/etc/hosts', '/etc/hosts'],
    ['/etc/resolv.conf', '/etc/resolv.conf'],
  ]
  const env: Record<string, string> = {
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_registry: String(settings['registry']),
  }
  const files = {
    npm_config_cache: settings['cache'],
    npm_config_userconfig: settings['userconfig'],
    npm_config_globalconfig: settings['globalconfig'],
    npm_config_cafile: settings['cafile'],
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
  }
  for (const [name, file] of Object.entries(files)) {
    if (typeof file !== 'string' || !(await exists(file))) continue
    loans.push([file, `/run/${name}`])
    env[name] = `/run/${name}`
  }
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return { loans, env }
}

function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    },
  )
}

/** All that is below a folder: its path, and its kind, mode and content. Times are left out, as Docker can set them. */
export async function listContents(folder: string): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const path of await readdir(folder, { recursive: true })) {
    const file = join(folder, path)
    const stats = await lstat(file)
    const content = stats.isFile()
      ? createHash('sha256')
          .update(await readFile(file))
          .digest('hex')
      : stats.isSymbolicLink()
        ? await readlink(file)
        : 'no content'
    contents.set(path, `${stats.mode.toString(8)} ${content}`)
  }
  return contents
}
