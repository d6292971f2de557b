import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { parseResult } from './load.ts'
import type { Client } from './load.ts'

const script = join(import.meta.dirname, 'requests.lua')
export const wrk: Client = {
  name: 'wrk',
  run: async (load) => {
    const options = [
      '--threads',
      '1',
      '--connections',
      String(load.connections),
      '--duration',
      `${load.seconds}s`,
      '--timeout',
      '30s',
      '--script',
      script,
    ]
    const { path, bodyTemplate } = load.operation
    const scriptArgs = [path, load.apiKey, bodyTemplate, load.first, load.last].map(String)
    const output = await runProgram('wrk', [...options, load.url, '--', ...scriptArgs], {
      timeoutMs: (load.seconds + 60) * 1000,
    })
    return parseResult(output)
  },
}

/** Is it on the PATH? It has no option that does nothing and succeeds, so its complaint about options will do. */
export async function hasWrk(): Promise<boolean> {
  const output = await runProgram('wrk', ['--version'], { timeoutMs: 5_000, isFailureFine: true }).catch(
    () => '',
  )
  return output.startsWith('wrk')
}
