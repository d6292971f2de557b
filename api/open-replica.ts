import type { Config } from '../core/platform/config.ts'
import { createReplica } from '../core/platform/replica.ts'
import type { Replica, ReplicaOptions } from '../core/platform/replica.ts'

/** The replica that management reads lists from; undefined without one, and in a process that serves only players. */
export function openReplica({
  config: { replica, surfaces, databasePoolMax: poolMax },
  ...shared
}: Pick<ReplicaOptions, 'primary' | 'log' | 'nowMs'> & {
  config: Pick<Config, 'replica' | 'surfaces' | 'databasePoolMax'>
}): Replica | undefined {
  if (replica === undefined || !surfaces.has('manage')) return undefined
  return createReplica({ ...replica, poolMax, ...shared })
}
