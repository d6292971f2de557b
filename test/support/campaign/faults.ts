import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { pick } from './random.ts'
import type { Stack, Victim } from './stack.ts'

/** One fault after the other until the load has ended; returns what was done, for the report of a failure. */
export async function causeFaults(
  stack: Stack,
  random: () => number,
  isOver: () => boolean,
): Promise<string[]> {
  const done: string[] = []
  while (!isOver()) {
    const victim = pick(random, stack.victims)
    const kinds =
      victim.name === 'redis' ? (['kill', 'freeze', 'empty'] as const) : (['kill', 'freeze'] as const)
    const kind = pick(random, kinds)
    done.push(`${kind} ${victim.name}`)
    if (kind === 'kill') await killForAWhile(victim, random)
    else if (kind === 'freeze') await freezeForAWhile(victim, random)
    else await emptyRedis(stack)
    await pause(300 + random() * 700)
  }
  return done
}

async function killForAWhile(victim: Victim, random: () => number): Promise<void> {
  await victim.kill()
  try {
    await pause(random() * 1_000)
  } finally {
    await victim.revive()
  }
}

/** Longer than a statement's and a lock's time-out now and then. */
async function freezeForAWhile(victim: Victim, random: () => number): Promise<void> {
  const pids = await victim.pids()
  signal(pids, 'SIGSTOP')
  try {
    await pause(200 + random() * 3_000)
  } finally {
    signal(pids, 'SIGCONT')
  }
}

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended by itself
    }
  }
}

async function emptyRedis({ redisUrl }: Stack): Promise<void> {
  if (redisUrl === undefined) return
  const redis = new Redis(redisUrl, { protocol: 2, maxRetriesPerRequest: 5 })
  try {
    await redis.flushall()
  } finally {
    redis.disconnect()
  }
}
