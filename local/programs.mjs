/**
 * Makes programs of the sources, one file each: loading a service file by file and package by package takes four times as
 * long, and `npm start` and the tests start many processes. JavaScript, because it runs before anything is compiled.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The programs that `npm start` and the tests start, and their sources. */
export const sources = {
  start: 'local/main.ts',
  api: 'api/main.ts',
  manage: 'api/main-manage.ts',
  worker: 'worker/main.ts',
  'check-stock': 'tools/check-stock.ts',
  'rewrap-keys': 'tools/rewrap-keys.ts',
  'verify-audit': 'tools/verify-audit.ts',
  archive: 'tools/archive.ts',
  simulate: 'tools/simulate.ts',
  'rng-export': 'tools/rng/export.ts',
  'rng-test': 'tools/rng/test.ts',
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** The folders with the sources of programs. */
const sourceFolders = ['api', 'core', 'local', 'prisma', 'tools', 'worker']
/** Beside the packages, so that an installation, which replaces those, clears it. */
const cache = join(root, 'node_modules/.cache/casino-rewards')
/** Some are kept for those who go back and forth between two versions of the sources; each takes 20 MB. */
const keptMax = 4

let made

/** The program's file. It is made of the sources as they are when this process asks for the first time. */
export async function findProgram(name) {
  made ??= makePrograms()
  return join(await made, `${name}.mjs`)
}

/** Programs are kept by the contents of all that they can be made of: they are never out of date. */
async function makePrograms() {
  const folder = join(cache, hashSources())
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
  } else {
    await bundleInto(folder)
    removeOld()
  }
  return folder
}

/** The sources name files beside themselves by their address, so it matters where they are. */
function hashSources() {
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  const hash = createHash('sha256').update(root)
  for (const file of ['package-lock.json', 'tsconfig.json', ...files].sort()) {
    if (!/\.(?:ts|mjs|json)$/.test(file)) continue
    const text = readFileSync(join(root, file))
    hash.update(`\n${file} ${text.length}\n`).update(text)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Several processes may get here at the same time: the first has made the programs for all. */
async function bundleInto(folder) {
  const { build } = await import('esbuild')
  const partial = `${folder}-${process.pid}`
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: partial,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [sourceAddresses, thisModule],
    banner: { js: [requireForPackages, optimiseLater].join('\n') },
  })
  try {
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** Packages that are CommonJS expect it. */
const requireForPackages =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"

/**
 * Prisma compiles queries in WebAssembly. V8 would optimise it during the first of them, which takes half of the CPU
 * that a worker needs to start; most of these processes live for seconds. It still does in those that run for longer.
 */
const optimiseLater =
  "import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--wasm-tiering-budget=50000000');"

/** Files beside a source, such as the migrations, are still found when it is part of a program elsewhere. */
const sourceAddresses = {
  name: 'source-addresses',
  setup: (bundle) => {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!sourceFolders.some((folder) => relative(root, path).startsWith(`${folder}/`))) return undefined
      const address = JSON.stringify(pathToFileURL(path).href)
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', address)
      return { loader: 'ts', contents }
    })
  },
}

/** Stays the module that it is, which knows the programs already. */
const thisModule = {
  name: 'this-module',
  setup: (bundle) => {
    bundle.onResolve({ filter: /\/programs\.mjs$/ }, () => ({ path: import.meta.url, external: true }))
  },
}

/** Keeps those that were used last. */
function removeOld() {
  const usedAt = (folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = readdirSync(cache).map((name) => join(cache, name))
  for (const folder of folders.sort((a, b) => usedAt(b) - usedAt(a)).slice(keptMax)) {
    rmSync(folder, { recursive: true, force: true })
  }
}
