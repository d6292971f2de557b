import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Operation } from '../operations.ts'
import { percentilesOf } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import { runProgram } from '../run-program.ts'

/** Requests numbered from `first`, so many a second, for so long. */
export interface SteadyLoad {
  url: string
  apiKey: string
  operation: Operation
  rate: number
  seconds: number
  first: number
  answersFile: string
}

/** Times in milliseconds since 1970. */
export interface SteadyAnswer {
  number: number
  /** Answered with 200. */
  isAcknowledged: boolean
  /** When it should have been sent; a client that is late makes the answer late. */
  dueMs: number
  answeredMs: number
}

/** Runs the load in a process of its own. Neither wrk nor autocannon reports the time of each single answer. */
export async function runSteadyLoad(
  load: Omit<SteadyLoad, 'answersFile'>,
  { buildDir, runDir }: { buildDir: string; runDir: string },
): Promise<SteadyAnswer[]> {
  const answersFile = join(runDir, `answers-${randomUUID()}.json`)
  await runProgram(
    process.execPath,
    [join(buildDir, 'bench/load/steady-main.js'), JSON.stringify({ ...load, answersFile })],
    { timeoutMs: (load.seconds + 60) * 1000 },
  )
  return JSON.parse(await readFile(answersFile, 'utf8')) as SteadyAnswer[]
}

/** The answers of a steady load; their times count from when each request was due. */
export interface SteadySummary extends Percentiles {
  count: number
  failed: number
}

export function summarise(answers: readonly SteadyAnswer[]): SteadySummary {
  return {
    count: answers.length,
    failed: answers.filter(({ isAcknowledged }) => !isAcknowledged).length,
    ...percentilesOf(answers.map(({ dueMs, answeredMs }) => answeredMs - dueMs)),
  }
}
