import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const verifier = join(import.meta.dirname, '../../tools/verify.mjs')

export interface Verdict {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Runs the verifier as an auditor does: as a program, with nothing but an export on its standard input. */
export async function runVerify(input: string, args: readonly string[] = []): Promise<Verdict> {
  const child = spawn(process.execPath, [verifier, ...args], { env: {} })
  child.stdin.on('error', () => undefined) // it may have refused its arguments and gone
  child.stdin.end(input)
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { exitCode, stdout, stderr }
}

/** A file of answers or rows, one a line. */
export function toLines(rows: readonly unknown[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n')
}
