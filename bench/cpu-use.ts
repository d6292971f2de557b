import { monotonicMs } from '../core/platform/clock.ts'
import { readEndedChildrenCpu, readMachineCpu, readProcessCpu, readTreeCpu } from './cpu.ts'
import type { CpuSeconds } from './cpu.ts'
import type { Child } from '../local/child.ts'
import type { RunningService } from './run-service.ts'
import type { Servers } from './servers.ts'

const users = ['api', 'manage', 'worker', 'postgres', 'redis', 'client', 'others'] as const

/** CPU time by program; undefined where it cannot be read. */
export type CpuUse = Record<(typeof users)[number], CpuSeconds>

/**
 * The CPU time of every program until now, each as the sum of its processes. The client is this process, its children
 * that have ended, and its own open sessions in PostgreSQL: it reads there how far the service has come.
 */
export function readCpuUse(servers: Servers, ...running: readonly RunningService[]): CpuUse {
  const ofAll = (children: readonly Child[]) => sumOf(children.map(({ pid }) => readProcessCpu(pid)))
  const api = ofAll(running.map((service) => service.api))
  const manage = ofAll(running.flatMap((service) => service.manage ?? []))
  const worker = ofAll(running.flatMap((service) => service.workers))
  const own = sumOf([...servers.ownSessions].map(readProcessCpu))
  const tree = readTreeCpu(servers.postgres.pid)
  const postgres = tree === undefined || own === undefined ? undefined : tree - own
  const redis = readProcessCpu(servers.redis.pid)
  const client = sumOf([readEndedChildrenCpu(), readProcessCpu(process.pid), own])
  const machine = readMachineCpu()
  const known = sumOf([api, manage, worker, postgres, redis, client].map((part) => part ?? 0)) ?? 0
  const others = machine === undefined ? undefined : machine - known
  return { api, manage, worker, postgres, redis, client, others }
}

/** Microseconds per request or job. */
export function cpuPerUnit(before: CpuUse, after: CpuUse, units: number): CpuUse {
  const per = (who: keyof CpuUse) => {
    const [from, to] = [before[who], after[who]]
    return from === undefined || to === undefined || units === 0 ? undefined : ((to - from) * 1e6) / units
  }
  return mapUsers(per)
}

/** The number of processors that each program kept busy in between. */
export function coresInUse(before: CpuUse, after: CpuUse, seconds: number): CpuUse {
  const use = cpuPerUnit(before, after, seconds)
  return mapUsers((who) => (use[who] === undefined ? undefined : use[who] / 1e6))
}

/** Begins to measure; the result says how many processors each program has kept busy since. */
export function watchCores(servers: Servers, ...running: readonly RunningService[]): () => CpuUse {
  const before = readCpuUse(servers, ...running)
  const beganMs = monotonicMs()
  return () => coresInUse(before, readCpuUse(servers, ...running), (monotonicMs() - beganMs) / 1_000)
}

function mapUsers(of: (who: keyof CpuUse) => CpuSeconds): CpuUse {
  return Object.fromEntries(users.map((who) => [who, of(who)])) as CpuUse
}

function sumOf(parts: readonly CpuSeconds[]): CpuSeconds {
  return parts.reduce<CpuSeconds>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    0,
  )
}
