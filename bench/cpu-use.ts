import { readEndedChildrenCpu, readMachineCpu, readProcessCpu, readTreeCpu } from './cpu.ts'
import type { CpuSeconds } from './cpu.ts'
import type { RunningService } from './run-service.ts'
import type { Servers } from './servers.ts'

/** CPU time by who used it; undefined where it cannot be read. */
export type CpuUse = Record<'api' | 'worker' | 'postgres' | 'redis' | 'client' | 'others', CpuSeconds>

/** What everybody has used until now. The worker is all processes of the worker. */
export async function readCpuUse(servers: Servers, service: RunningService): Promise<CpuUse> {
  const [api, workers, postgres, redis, client, machine, own] = await Promise.all([
    readProcessCpu(service.api.pid),
    Promise.all(service.workers.map(({ pid }) => readProcessCpu(pid))),
    readTreeCpu(servers.postgres.pid),
    readProcessCpu(servers.redis.pid),
    readEndedChildrenCpu(),
    readMachineCpu(),
    readProcessCpu(process.pid),
  ])
  const worker = sumOf(workers)
  const known = sumOf([api, worker, postgres, redis, client, own].map((part) => part ?? 0)) ?? 0
  return { api, worker, postgres, redis, client, others: machine === undefined ? undefined : machine - known }
}

/** Microseconds per request or job. */
export function cpuPerUnit(before: CpuUse, after: CpuUse, units: number): CpuUse {
  const per = (who: keyof CpuUse) => {
    const [from, to] = [before[who], after[who]]
    return from === undefined || to === undefined || units === 0 ? undefined : ((to - from) * 1e6) / units
  }
  return {
    api: per('api'),
    worker: per('worker'),
    postgres: per('postgres'),
    redis: per('redis'),
    client: per('client'),
    others: per('others'),
  }
}

function sumOf(parts: readonly CpuSeconds[]): CpuSeconds {
  return parts.reduce<CpuSeconds>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    0,
  )
}
