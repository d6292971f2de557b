import { watchSignals } from '../core/platform/signals.ts'

// Before anything else is loaded, which takes a moment.
const signals = watchSignals()
const { runProgram } = await import('./program.ts')

const defaultPort = 3002

const names = { script: 'start:manage', name: 'management, console, documents and metrics' }
await runProgram(signals, names, (config) => ({
  ...config,
  surfaces: new Set(['manage']),
  port: config.adminPort ?? defaultPort,
}))
