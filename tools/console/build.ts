import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'dist/console')

/**
 * Makes the console and the page for players (/verify) in `dist/console`. Each file's name has a hash of its contents, so browsers may keep it; `files.json`
 * says which file is which. Several processes may do it at the same time, and one may read while another builds.
 */
export async function buildConsole(): Promise<void> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { console: 'console/src/main.tsx', verify: 'console/src/verify/main.tsx' },
    outdir: folder,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const files: Record<string, string> = {}
  for (const [path, { entryPoint, cssBundle }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue
    const [name = ''] = basename(path).split('-')
    files[`${name}.js`] = basename(path)
    if (cssBundle !== undefined) files[`${name}.css`] = basename(cssBundle)
  }
  mkdirSync(folder, { recursive: true })
  for (const { path, contents } of outputFiles) put(path, contents)
  put(join(folder, 'files.json'), `${JSON.stringify(files, undefined, 2)}\n`)
}

/** The file is there as a whole or not at all. */
function put(path: string, contents: Uint8Array | string): void {
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, contents)
  renameSync(partial, path)
}
