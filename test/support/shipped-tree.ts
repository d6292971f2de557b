import { execFile } from 'node:child_process'
import { cp, copyFile, mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const project = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The contents of the image, and how its container is started. */
export interface ShippedTree {
  root: string
  command: string[]
}

/**
 * Follows the Dockerfile without Docker: copies what .dockerignore lets through, runs its own steps, and gives the folder
 * that the last stage ends with. Packages are not fetched but taken from this checkout, and npm stays offline. `folder`
 * must not be below the checkout, where Node would find what the tree lacks.
 */
export async function makeShippedTree(folder: string): Promise<ShippedTree> {
  const isInContext = readIgnoreFile(await readFile(join(project, '.dockerignore'), 'utf8'))
  const stages = new Map<string, string>()
  let root = folder
  let command: string[] = []
  for (const { keyword, rest } of parseDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'))) {
    if (keyword === 'FROM') {
      const name = /\bAS (\S+)$/.exec(rest)?.[1] ?? `stage-${stages.size}`
      root = join(folder, name)
      stages.set(name, root)
      await mkdir(root)
    } else if (keyword === 'COPY') {
      await copyInto(root, rest, stages, isInContext)
    } else if (keyword === 'RUN') {
      if (/^npm ci\b/.test(rest)) await linkPackages(join(root, 'node_modules'))
      else await runStep(root, rest)
    } else if (keyword === 'CMD') {
      command = JSON.parse(rest) as string[]
    }
  }
  return { root, command }
}

function parseDockerfile(text: string): { keyword: string; rest: string }[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const [, keyword, rest] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? []
      return keyword === undefined || rest === undefined ? [] : [{ keyword, rest }]
    })
}

/**
 * Of the file's language only what ours uses: names, `*` for everything, and `!` for exceptions that come in all the
 * same.
 */
function readIgnoreFile(text: string): (path: string) => boolean {
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return (path) =>
    rules.reduce((isIn, rule) => {
      const name = rule.replace(/^!/, '')
      if (name !== '*' && /[*?[]/.test(name)) throw new Error(`a pattern that this does not know: ${rule}`)
      const isHit = name === '*' || path === name || path.startsWith(`${name}/`)
      return isHit ? rule.startsWith('!') : isIn
    }, true)
}

/** `COPY [--from=stage] source … target`; the working folder is /app. */
async function copyInto(
  root: string,
  rest: string,
  stages: ReadonlyMap<string, string>,
  isInContext: (path: string) => boolean,
): Promise<void> {
  const words = rest.split(/ +/)
  const stage = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const sources = words.slice(stage === undefined ? 0 : 1, -1)
  const target = join(root, words.at(-1) ?? '')
  for (const source of sources) {
    if (stage !== undefined) {
      const path = relative('/app', source)
      const to = words.at(-1)?.endsWith('/') === true ? join(target, path) : target
      await linkTree(join(stages.get(stage) ?? '', path), to)
      continue
    }
    const names = source === '.' ? await readdir(project) : [source]
    for (const name of names.filter(isInContext)) {
      const filter = (path: string) => isInContext(relative(project, path))
      await cp(join(project, name), join(target, name), { recursive: true, filter })
    }
  }
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
 * A copy that takes no room: the same files under other names. `cp` makes tens of thousands of them in a tenth of the
 * time. Across disks, and where it cannot link, the files are copied.
 */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-R', from, to])
  })
}

/** The packages as `npm ci` installs them. */
async function linkPackages(to: string): Promise<void> {
  const packages = join(project, 'node_modules')
  await linkTree(packages, to)
  await rm(join(to, '.cache'), { recursive: true, force: true })
  // npm writes into this one, which is not to be the checkout's.
  const list = '.package-lock.json'
  await rm(join(to, list), { force: true })
  await copyFile(join(packages, list), join(to, list))
}
