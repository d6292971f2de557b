import { spawn } from 'node:child_process'

/** Runs a program to its end and returns what it printed. Rejects when it fails, cannot be started or takes too long. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { timeoutMs: number; cwd?: string; isFailureFine?: boolean },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0 || (options.isFailureFine === true && code !== null)) resolve(output)
      else reject(new Error(`${program} ended with ${String(signal ?? code)}:\n${output.slice(-4_000)}`))
    })
  })
}
