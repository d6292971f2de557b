import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const project = join(import.meta.dirname, '../..')

/** A stage of the Dockerfile, as far as its steps have been followed. */
export interface Stage {
  /** The image of FROM. */
  base: string
  /** A folder with the files that the steps so far have added to the base. */
  layer: string
  workdir: string
  env: Record<string, string>
  user: string
  command: string[]
}

/** The bases of all stages, in their order. */
export async function readBases(): Promise<string[]> {
  return (await readInstructions())
    .filter(({ keyword }) => keyword === 'FROM')
    .map(({ rest }) => parseFrom(rest).base)
}

/**
 * Follows the Dockerfile without Docker, and gives the last stage. `runStep` does what RUN asks for; the files of COPY
 * come from `context`, as far as .dockerignore lets them through. The layers are made in `folder`.
 */
export async function followDockerfile(
  folder: string,
  context: string,
  runStep: (stage: Stage, step: string) => Promise<void>,
): Promise<Stage> {
  const isInContext = await readIgnoreFile()
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const { keyword, rest } of await readInstructions()) {
    if (keyword === 'FROM') {
      const { base, name = `stage-${stages.size}` } = parseFrom(rest)
      const layer = join(folder, name)
      await mkdir(layer)
      stage = { base, layer, workdir: '/', env: {}, user: 'root', command: [] }
      stages.set(name, stage)
      continue
    }
    if (stage === undefined) throw new Error(`${keyword} comes before FROM`)
    if (keyword === 'WORKDIR') stage.workdir = rest
    else if (keyword === 'ENV') Object.assign(stage.env, parseEnv(rest))
    else if (keyword === 'USER') stage.user = rest
    else if (keyword === 'CMD') stage.command = JSON.parse(rest) as string[]
    else if (keyword === 'COPY') await copy(rest, stage, { stages, context, isInContext })
    else if (keyword === 'RUN') await runStep(stage, rest)
    else if (keyword !== 'EXPOSE') throw new Error(`an instruction that this does not know: ${keyword}`)
  }
  if (stage === undefined) throw new Error('the Dockerfile has no stage')
  return stage
}

/** Copies what .dockerignore lets through. */
export async function copyContext(to: string): Promise<void> {
  await copyFromContext('.', to, { context: project, isInContext: await readIgnoreFile() })
}

async function readInstructions(): Promise<{ keyword: string; rest: string }[]> {
  const text = await readFile(join(project, 'Dockerfile'), 'utf8')
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, keyword, rest] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? []
      if (keyword === undefined || rest === undefined)
        throw new Error(`a line that this does not know: ${line}`)
      return { keyword, rest }
    })
}

function parseFrom(rest: string): { base: string; name: string | undefined } {
  const [base = '', , name] = rest.split(/ +/)
  return { base, name }
}

/** `NAME=value`, without quotes. */
function parseEnv(rest: string): Record<string, string> {
  const pairs = rest.split(/ +/).map((pair) => /^(\w+)=([^"']*)$/.exec(pair))
  return Object.fromEntries(
    pairs.map((pair) => {
      if (pair === null) throw new Error(`values that this does not know: ${rest}`)
      return pair.slice(1) as [string, string]
    }),
  )
}

/** Of the file's language only what ours uses: names, `*` for everything, and `!` for exceptions that are let through. */
async function readIgnoreFile(): Promise<(path: string) => boolean> {
  const text = await readFile(join(project, '.dockerignore'), 'utf8')
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return (path) =>
    rules.reduce((isIn, rule) => {
      const name = rule.replace(/^!/, '')
      if (name !== '*' && /[*?[]/.test(name)) throw new Error(`a pattern that this does not know: ${rule}`)
      const isHit = name === '*' || path === name || path.startsWith(`${name}/`)
      return isHit ? rule.startsWith('!') : isIn
    }, true)
}

interface Context {
  context: string
  isInContext: (path: string) => boolean
}

/** `COPY [--from=stage] source … target`. */
async function copy(
  rest: string,
  { layer, workdir }: Stage,
  { stages, ...context }: Context & { stages: ReadonlyMap<string, Stage> },
): Promise<void> {
  const words = rest.split(/ +/)
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const sources = words.slice(from === undefined ? 0 : 1, -1)
  const last = words.at(-1) ?? ''
  const target = join(layer, resolve(workdir, last))
  await mkdir(last.endsWith('/') ? target : dirname(target), { recursive: true })
  for (const source of sources) {
    if (from === undefined) await copyFromContext(source, target, context)
    // cp copies a file into a folder, and a folder as one that does not exist yet, as COPY does.
    else await run('cp', ['-a', join(stages.get(from)?.layer ?? '', source), target])
  }
}

const run = promisify(execFile)

async function copyFromContext(
  source: string,
  target: string,
  { context, isInContext }: Context,
): Promise<void> {
  const names = source === '.' ? await readdir(context) : [source]
  for (const name of names.filter(isInContext)) {
    const filter = (path: string) => isInContext(path.slice(context.length + 1))
    await cp(join(context, name), join(target, name), { recursive: true, filter })
  }
}
