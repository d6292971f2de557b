import { watchSignals } from '../core/platform/signals.ts'

// Before anything else is loaded, which takes a moment.
const signals = watchSignals()
const { runProgram } = await import('./program.ts')

await runProgram(signals, { script: 'start:api', name: 'the API' })
