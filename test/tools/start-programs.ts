/**
 * Makes the starts in its argument (JSON, `Start[]`) one after the other, and prints what each wrote and ended with as JSON.
 * Programs in TypeScript start in this process: a process of its own for each would load the whole service forty times.
 * Those in JavaScript load little, and get one.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findProgram, sources } from '../../local/programs.mjs'
import type { Program } from '../../local/programs.mjs'

interface Start {
  path: string
  args: string[]
}

interface Run extends Start {
  code: string | number | null
  stdout: string
  stderr: string
}

const starts = JSON.parse(process.argv[2] ?? '[]') as Start[]
const print = process.stdout.write.bind(process.stdout)

/** Ends a program, which would otherwise end all of them. */
class Exit extends Error {}

async function startHere({ path, args }: Start, index: number): Promise<Run> {
  const run: Run = { path, args, code: 0, stdout: '', stderr: '' }
  process.exitCode = 0
  process.exit = (code) => {
    process.exitCode = code ?? 0
    throw new Exit()
  }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: unknown) => {
      run[name] += String(chunk)
      return true
    }
  }
  const file = await findFile(path)
  process.argv = [process.execPath, file, ...args]
  try {
    // Under an address of its own, as another program may have imported it, and it may start several times.
    await import(`${pathToFileURL(file).href}?${index}`)
  } catch (error) {
    if (!(error instanceof Exit)) run.stderr += String(error)
  }
  return { ...run, code: process.exitCode }
}

/** Its own file, or the one that is made of it and all that it loads. */
function findFile(path: string): Promise<string> | string {
  const name = (Object.keys(sources) as Program[]).find((program) => sources[program] === path)
  return name === undefined ? join(import.meta.dirname, '../..', path) : findProgram(name)
}

function startApart({ path, args }: Start): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
  return { path, args, code: status, stdout, stderr }
}

const runs: Run[] = []
for (const [index, start] of starts.entries()) {
  runs.push(start.path.endsWith('.ts') ? await startHere(start, index) : startApart(start))
}
process.exitCode = 0
print(JSON.stringify(runs), () => {
  process.kill(process.pid, 'SIGKILL') // whatever a program that went on has begun
})
