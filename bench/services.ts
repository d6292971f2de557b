import type { OperationName } from './operations.ts'

/** The opponents, in the order in which they take turns. */
export const serviceNames = ['straightforward', 'ours', 'without-proof', 'no-database'] as const
export type ServiceName = (typeof serviceNames)[number]

/** A service's programs, as paths of the built sources. */
export interface Service {
  /** Names its log. */
  name: string
  api: string
  worker: string | undefined
  /** The program for management, if that is separate from the API. */
  manage?: string
  /** Whether it records rows that can be counted afterwards. */
  isRecording: boolean
  /** The number of jobs that its worker runs in parallel. */
  workerConcurrency: number
  /** The operations in which it differs; undefined for all. */
  operations?: readonly OperationName[]
  /** Statements that run on its database before it starts. */
  prepareSql?: readonly string[]
}

export const services: Record<ServiceName, Service> = {
  straightforward: {
    name: 'straightforward',
    api: 'bench/straightforward/api-main.js',
    worker: 'bench/straightforward/worker-main.js',
    isRecording: true,
    // More than the connections of the pool, but not so many that most would only wait for one.
    workerConcurrency: 50,
    prepareSql: ['ALTER TABLE opening DISABLE TRIGGER opening_true'], // its openings have no seed
  },
  ours: {
    name: 'ours',
    api: 'api/main.js',
    worker: 'worker/main.js',
    isRecording: true,
    workerConcurrency: 128, // the default
  },
  'without-proof': {
    name: 'without-proof',
    api: 'bench/without-proof/main.js',
    worker: undefined, // its measured operations have no work for a worker
    isRecording: true,
    workerConcurrency: 1,
    operations: ['box', 'box-stock'],
    prepareSql: [
      'ALTER TABLE opening DISABLE TRIGGER opening_true',
      'DROP INDEX opening_casino_id_player_id_seed_id_nonce_key',
      'DROP INDEX opening_casino_id_seed_id_id_idx',
    ],
  },
  'no-database': {
    name: 'no-database',
    api: 'bench/no-database/main.js',
    worker: undefined,
    isRecording: false,
    workerConcurrency: 1,
  },
}
