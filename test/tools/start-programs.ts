/**
 * Starts the programs whose paths are its further arguments, one after the other, with each of the options in the first
 * argument, and prints what each wrote and ended with as JSON. Those in TypeScript start in this process: a process of its
 * own for each would load the whole service forty times. Those in JavaScript load little, and get one.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Run {
  path: string
  option: string
  code: string | number | null
  stdout: string
  stderr: string
}

const [options = '[]', ...paths] = process.argv.slice(2)
const print = process.stdout.write.bind(process.stdout)

/** Ends a program, which would otherwise end all of them. */
class Exit extends Error {}

async function startHere(path: string, option: string): Promise<Run> {
  const run: Run = { path, option, code: 0, stdout: '', stderr: '' }
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
  const file = join(import.meta.dirname, '../..', path)
  process.argv = [process.execPath, file, option]
  try {
    // Under an address of its own, as another program may have imported it, and it starts once for each option.
    await import(`${pathToFileURL(file).href}?${option}`)
  } catch (error) {
    if (!(error instanceof Exit)) run.stderr += String(error)
  }
  return { ...run, code: process.exitCode }
}

function startApart(path: string, option: string): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, option], { encoding: 'utf8' })
  return { path, option, code: status, stdout, stderr }
}

const runs: Run[] = []
for (const option of JSON.parse(options) as string[]) {
  for (const path of paths) {
    runs.push(path.endsWith('.ts') ? await startHere(path, option) : startApart(path, option))
  }
}
process.exitCode = 0
print(JSON.stringify(runs), () => {
  process.kill(process.pid, 'SIGKILL') // whatever a program that went on has begun
})
