import { spawn } from 'node:child_process'
import { findProgram, sources } from '../../local/programs.mjs'
import type { Program } from '../../local/programs.mjs'

export interface ToolRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program as a person would, by the path of its source. It is killed when it takes longer than two minutes. */
export async function runTool(
  path: string,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): Promise<ToolRun> {
  const program = (Object.keys(sources) as Program[]).find((name) => sources[name] === path)
  const start = program === undefined ? ['--import', 'tsx', path] : [await findProgram(program)]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...start, ...args], {
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

/**
 * Starts programs one after the other in a single process, which loads each of them once: fast enough to test all that
 * they refuse at their start. `runTool` shows that they also do so as processes of their own.
 */
export async function runTools<Start extends { path: string; args: readonly string[] }>(
  starts: readonly Start[],
  env: Record<string, string | undefined> = {},
): Promise<(ToolRun & Start)[]> {
  const { stdout, stderr } = await runTool('test/tools/start-programs.ts', [JSON.stringify(starts)], env)
  if (stderr !== '') throw new Error(stderr)
  const runs = JSON.parse(stdout) as ToolRun[]
  return starts.map((start, index) => {
    const run = runs[index]
    if (run === undefined) throw new Error(`${start.path} was not started`)
    return { ...start, ...run }
  })
}
