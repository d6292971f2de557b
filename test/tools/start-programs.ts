/**
 * Starts one program after the other in this process, with the arguments in the first argument and the programs' paths in
 * the others, and prints what each wrote and ended with as JSON. A process of its own for each would load the whole service
 * forty times.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [args = '[]', ...paths] = process.argv.slice(2)
const print = process.stdout.write.bind(process.stdout)

/** Ends a program, which would otherwise end all of them. */
class Exit extends Error {}

const runs: { path: string; code: string | number; stdout: string; stderr: string }[] = []
for (const path of paths) {
  const run: (typeof runs)[number] = { path, code: 0, stdout: '', stderr: '' }
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
  process.argv = [process.execPath, file, ...(JSON.parse(args) as string[])]
  try {
    // Under an address of its own, as another program may have imported it. Those in JavaScript, which nobody imports,
    // know by their address that they were started.
    await import(`${pathToFileURL(file).href}${path.endsWith('.ts') ? '?program' : ''}`)
  } catch (error) {
    if (!(error instanceof Exit)) run.stderr += String(error)
  }
  run.code = process.exitCode
  runs.push(run)
}
process.exitCode = 0
print(JSON.stringify(runs), () => {
  process.kill(process.pid, 'SIGKILL') // whatever a program that went on has begun
})
