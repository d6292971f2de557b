import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The modules that ask for a database or a queue, and those that start other processes or threads. */
const serversOrProcesses = [
  join(root, 'test/support/environment.ts'),
  'node:child_process',
  'node:worker_threads',
]

/** Statistics over hundreds of thousands of draws, and hashes that are made to be slow: they need no server either. */
const slow = ['test/tools/rng/suite.test.ts', 'test/core/operator/password.test.ts']

/**
 * The test files that `npm run test:unit` runs: those whose imports, and the imports of these, reach no server and start
 * no process. So there is no list to keep, and a file that begins to need a server is a unit test no longer.
 */
export function findUnitTests(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => !needsServer(join(root, path)) && !slow.includes(path))
    .sort()
}

/** Whether anything that a file imports when it runs, directly or not, reaches a server or starts a process. */
export function needsServer(file: string): boolean {
  const reached = new Set([file])
  // A loop over a set also visits what is added during the loop.
  for (const module of reached) {
    if (serversOrProcesses.includes(module)) return true
    for (const imported of findImports(module)) reached.add(imported)
  }
  return false
}

/** Hundreds of test files reach the same modules. */
const known = new Map<string, readonly string[]>()

function findImports(module: string): readonly string[] {
  const imports = known.get(module) ?? readImports(module)
  known.set(module, imports)
  return imports
}

/** Paths of our own files, names of packages. Imports of types alone are gone when a file runs. */
function readImports(module: string): string[] {
  if (!module.endsWith('.ts') || !existsSync(module)) return []
  const text = readFileSync(module, 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s(?!type\s)[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    return name.startsWith('.') ? join(dirname(module), name) : name
  })
}
