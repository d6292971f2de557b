import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import { environmentFolder } from './environment.ts'

/**
 * The API and the worker as one file each, made of the same sources and packages. Loading those file by file takes
 * nearly four times as long, and tests start many processes.
 */
export async function findProgram(service: 'api' | 'worker'): Promise<string> {
  const folder = join(environmentFolder(), 'programs')
  if (!(await exists(folder))) await bundleInto(folder)
  return join(folder, `${service}.mjs`)
}

/** Several processes may get here at once: whoever is first has made them for all. */
async function bundleInto(folder: string): Promise<void> {
  const partial = `${folder}-${process.pid}`
  const root = join(import.meta.dirname, '../..')
  await build({
    absWorkingDir: root,
    entryPoints: { api: 'api/main.ts', worker: 'worker/main.ts' },
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
    bundle.onLoad({ filter: /\/(api|worker|core|prisma)\/[^.]*\.ts$/ }, async ({ path }) => {
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
