import { runProgram } from '../run-program.ts'
import type { Operation } from '../operations.ts'

export interface OverloadLoad {
  url: string
  apiKey: string
  operation: Operation
  connections: number
  seconds: number
  /** Requests a second; undefined: as fast as they are answered. */
  rate?: number
  /** After a 503 a connection is not used for as long as `Retry-After` says. */
  waitsAsTold?: boolean
  first: number
}

export interface OverloadResult {
  seconds: number
  sent: number
  /** Due, but all connections waited. */
  unsent: number
  accepted: number
  refused: number
  /** Requests with any other answer, and connections that the service closed. */
  failed: number
  acceptedP50Ms: number
  acceptedP99Ms: number
  refusedP50Ms: number
  refusedP99Ms: number
  next: number
}

/** Runs the load in a process of its own, which at a fixed rate does nothing but send. */
export async function runOverload(program: string, load: OverloadLoad): Promise<OverloadResult> {
  const output = await runProgram(process.execPath, [program, JSON.stringify(load)], {
    timeoutMs: (load.seconds + 60) * 1000,
  })
  return JSON.parse(output) as OverloadResult
}
