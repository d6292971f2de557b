import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, runMain } from './terminal/program.mjs'

const usage = `node tools/prune-image.mjs

A step of the Dockerfile, after the build and "npm prune": leaves out of package.json and node_modules what cannot run in
the image, or is not used there. It changes the current folder, and refuses one that development packages are in.`

/** It loads one of Prisma's query compilers, of which there are two for each database, and two more for CommonJS. */
const client = 'dist/prisma/generated/internal/class.js'
const runtime = 'node_modules/@prisma/client/runtime'

/** It comes with several builds of itself and their source maps. */
const viewer = 'node_modules/swagger-ui-dist'
/** The files that the service serves (api/openapi/viewer.ts), and those that the licence asks to keep. */
const usedOfViewer = [
  'package.json',
  'swagger-ui-bundle.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]

runMain({ usage }, () => {
  if (existsSync('node_modules/tsx'))
    throw new Error('development packages are here: this is for a copy, after npm prune')

  // The image has only the build's output; all other scripts need sources and development packages.
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const scripts = Object.entries(manifest.scripts).filter(([, command]) => / dist\//.test(command))
  writeFileSync(
    'package.json',
    `${JSON.stringify({ ...manifest, scripts: Object.fromEntries(scripts) }, null, 2)}\n`,
  )

  const used = readFileSync(client, 'utf8').match(/query_compiler_[\w.-]+\.mjs/g) ?? []
  if (used.length === 0) throw new Error(`${client} names no query compiler: look what it uses now`)
  const unused = readdirSync(runtime).filter(
    (name) => name.startsWith('query_compiler_') && !used.includes(name),
  )
  for (const name of unused) rmSync(join(runtime, name))

  const files = readdirSync(viewer)
  const missing = usedOfViewer.filter((name) => !files.includes(name))
  if (missing.length > 0) throw new Error(`${viewer} has no ${missing.join(', ')}: look what it has now`)
  const unusedOfViewer = files.filter((name) => !usedOfViewer.includes(name))
  for (const name of unusedOfViewer) rmSync(join(viewer, name))

  console.log(
    `${scripts.length} scripts stay; ${unused.length} query compilers and ${unusedOfViewer.length} files of Swagger UI are removed.`,
  )
  return exitCodes.done
})
