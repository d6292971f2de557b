import { runProgram } from '../run-program.ts'
import { parseResult } from './load.ts'
import type { Client } from './load.ts'

/** Runs autocannon in a process of its own, like wrk, so that its CPU time is counted apart from ours. */
export function createAutocannon(program: string): Client {
  return {
    name: 'autocannon',
    run: async (load) =>
      parseResult(
        await runProgram(process.execPath, [program, JSON.stringify(load)], {
          timeoutMs: (load.seconds + 60) * 1000,
        }),
      ),
  }
}
