import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runMain } from '../../core/platform/main-program.ts'
import type { Help } from '../../core/platform/main-program.ts'
import type { Child } from '../../local/child.ts'
import { watchCores } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import { operations } from '../operations.ts'
import type { OperationName } from '../operations.ts'
import { parseCount, parseNames } from '../options.ts'
import { renderTable } from '../report.ts'
import type { RunningService } from '../run-service.ts'
import { createSized, requestsPerSecondMax, withService } from '../scale/sized.ts'
import type { Sized } from '../scale/sized.ts'
import { exitCodeOf, judge, renderVerdict } from '../verdict.ts'
import type { Finding } from '../verdict.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'

const usage = `npm run bench:footprint -- [options]
  --part idle,memory    what idle processes take of a processor; the memory of processes after full load (all)
  --seconds 60          how long the processes are idle
  --minutes 10          of full load: orders, cashbacks and openings take turns
  --connections 64`

const help: Help = {
  usage,
  problemFound: 'a request failed, or a bound is exceeded: the output says which',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

const parts = ['idle', 'memory'] as const
/** Shares of a core, and megabytes: of each process. */
const idleCoresMax = 0.005
const residentMbMax = 200
/** New processes do some things once: they compile, and collect what their start has left over. */
const settleMs = 240_000
const historySize = 10_000
const turnSeconds = 20
const processesOfOurs = ['api', 'manage', 'worker'] as const
const taken: readonly OperationName[] = ['order', 'cashback', 'box']

await runMain(help, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      part: { type: 'string' },
      seconds: { type: 'string', default: '60' },
      minutes: { type: 'string', default: '10' },
      connections: { type: 'string', default: '64' },
    },
  })
  const wanted = parseNames('part', values.part, parts)
  const seconds = parseCount('seconds', values.seconds, 3_600)
  const minutes = parseCount('minutes', values.minutes, 600)
  const connections = parseCount('connections', values.connections, 1_000)
  return withRun({ client: undefined }, async (run) => {
    const sized = await createSized(run, { size: historySize, name: 'footprint' })
    const idle = wanted.includes('idle') ? await measureIdle(run, sized, seconds) : undefined
    const memory = wanted.includes('memory')
      ? await measureMemory(run, sized, { minutes, connections })
      : undefined
    const file = await writeResults('footprint-', { idle, memory })
    const tables = [idle && renderIdle(idle), memory && renderMemory(memory)].filter(
      (text) => text !== undefined,
    )
    console.log(`\n${tables.join('\n\n')}\n\nwritten to ${file}`)
    const verdict = judge(
      {
        wrong: memory === undefined || memory.failed === 0 ? [] : [`${memory.failed} requests failed`],
        findings: [...(idle === undefined ? [] : findBusy(idle)), ...(memory?.findings ?? [])],
      },
      cpus().length,
    )
    console.error(renderVerdict(verdict, 'Every bound was kept.'))
    return exitCodeOf(verdict)
  })
})

/** Processors kept busy while nothing happens. */
function measureIdle(run: Run, sized: Sized, seconds: number): Promise<CpuUse> {
  return withService(run, sized, async (service) => {
    await delay(settleMs)
    const readCores = watchCores(run.servers, service)
    await delay(seconds * 1_000)
    await service.assertAlive()
    return readCores()
  })
}

function findBusy(idle: CpuUse): Finding[] {
  return processesOfOurs.flatMap((name) => {
    const cores = idle[name]
    if (cores === undefined) throw new Error('this machine does not say how much CPU time a process has used')
    return {
      text: `the idle ${name} takes ${percent(cores)} of a core, more than ${percent(idleCoresMax)}`,
      isExceeded: cores > idleCoresMax,
      othersCores: idle.others ?? 0,
    }
  })
}

interface Resident {
  name: string
  /** Megabytes, at the end and at most. */
  residentMb: number
  peakMb: number
}

interface MeasuredMemory {
  minutes: number
  acknowledged: number
  failed: number
  resident: readonly Resident[]
  findings: readonly Finding[]
}

function measureMemory(
  run: Run,
  sized: Sized,
  { minutes, connections }: { minutes: number; connections: number },
): Promise<MeasuredMemory> {
  return withService(run, sized, async (service) => {
    let [acknowledged, failed, loadedSeconds] = [0, 0, 0]
    const readCores = watchCores(run.servers, service)
    for (let turn = 0; loadedSeconds < minutes * 60; turn++) {
      const name = taken[turn % taken.length] ?? 'order'
      const count = requestsPerSecondMax * turnSeconds
      const first = await sized.prepare(count)
      const load = { url: service.url, apiKey: sized.apiKey, operation: operations[name], connections }
      const result = await run.client.run({ ...load, seconds: turnSeconds, first, last: first + count })
      acknowledged += result.acknowledged
      failed += result.failed
      loadedSeconds += result.seconds
      console.log(`  ${(loadedSeconds / 60).toFixed(1)} minutes, ${describe(residentOf(service))}`)
      await service.assertAlive()
    }
    const resident = residentOf(service)
    // Beside other programs the load is not full.
    const { others: othersCores = 0 } = readCores()
    return {
      minutes,
      acknowledged,
      failed,
      resident,
      findings: resident.map(({ name, residentMb }) => ({
        text: `the ${name} has ${residentMb.toFixed(0)} MB after ${minutes} minutes of full load, and at most ${residentMbMax} are allowed`,
        isExceeded: residentMb > residentMbMax,
        othersCores,
      })),
    }
  })
}

function residentOf({ api, manage, workers }: RunningService): Resident[] {
  const all: [string, Child | undefined][] = [
    ['api', api],
    ['manage', manage],
    ['worker', workers[0]],
  ]
  return all.flatMap(([name, child]) =>
    child === undefined
      ? []
      : [{ name, residentMb: readMegabytes(child.pid, 'VmRSS'), peakMb: readMegabytes(child.pid, 'VmHWM') }],
  )
}

/** See proc(5), /proc/pid/status. */
function readMegabytes(pid: number, field: string): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`)
  return Number(kilobytes) / 1_024
}

function describe(resident: readonly Resident[]): string {
  return resident.map(({ name, residentMb }) => `${name} ${residentMb.toFixed(0)} MB`).join(', ')
}

function percent(cores: number): string {
  return `${(cores * 100).toFixed(2)} %`
}

function renderIdle(idle: CpuUse): string {
  const shown = [...processesOfOurs, 'postgres', 'redis'] as const
  return renderTable(
    ['idle', 'of a core'],
    shown.map((name) => [name, percent(idle[name] ?? 0)]),
  )
}

function renderMemory({ minutes, acknowledged, resident }: MeasuredMemory): string {
  return `After ${minutes} minutes of full load, ${acknowledged} requests:\n\n${renderTable(
    ['process', 'MB', 'at most'],
    resident.map(({ name, residentMb, peakMb }) => [name, residentMb.toFixed(0), peakMb.toFixed(0)]),
  )}`
}
