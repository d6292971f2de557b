import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import { environmentFolder } from './environment.ts'

/** The programs that tests start most, and their sources. */
const sources = {
  api: 'api/main.ts',
  manage: 'api/main-manage.ts',
  worker: 'worker/main.ts',
  'check-stock': 'tools/check-stock.ts',
  'rewrap-keys': 'tools/rewrap-keys.ts',
  'verify-audit': 'tools/verify-audit.ts',
  simulate: 'tools/simulate.ts',
  'rng-export': 'tools/rng/export.ts',
  'rng-test': 'tools/rng/test.ts',
}

export type Program = keyof typeof sources

/**
 * A program as one file, made of the same sources and packages. Loading those file by file takes nearly four times as
 * long, and tests start many processes.
 */
export async function findProgram(program: Program): Promise<string> {
  const folder = join(environmentFolder(), 'programs')
  if (!(await exists(folder))) await bundleInto(folder)
  return join(folder, `${program}.mjs`)
}

/** The program of a source; undefined when none is made of it. */
export function programOf(source: string): Program | undefined {
  return (Object.keys(sources) as Program[]).find((program) => sources[program] === source)
}

/** Several processes may get here at once: whoever is first has made them for all. */
async function bundleInto(folder: string): Promise<void> {
  const partial = `${folder}-${process.pid}`
  const root = join(import.meta.dirname, '../..')
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
    logLevel: 'warning',
    plugins: [sourceAddresses],
    // Packages that are CommonJS expect it.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  })
  await rename(partial, folder).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  })
}

/** What a source finds beside itself, such as the migrations, it still finds when it is part of a bundle elsewhere. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  setup: (bundle) => {
    bundle.onLoad({ filter: /\/(api|worker|core|prisma|tools)\/[^.]*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const address = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', address) }
    })
  },
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
