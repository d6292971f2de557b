import { spawn } from 'node:child_process'

export interface ToolRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program of tools/ as a person would. It is killed when it takes longer than two minutes. */
export function runTool(
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code, stdout, stderr })
    })
  })
}
