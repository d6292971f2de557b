/** The opponents, in the order in which they take turns. */
export const serviceNames = ['straightforward', 'ours', 'no-database'] as const
export type ServiceName = (typeof serviceNames)[number]

/** A service's programs, as paths of the built sources. */
export interface Service {
  name: ServiceName
  api: string
  worker: string | undefined
  /** Whether it records anything that can be counted afterwards. */
  isRecording: boolean
  /** How many jobs its worker has under way at once. */
  workerConcurrency: number
}

export const services: Record<ServiceName, Service> = {
  straightforward: {
    name: 'straightforward',
    api: 'bench/straightforward/api-main.js',
    worker: 'bench/straightforward/worker-main.js',
    isRecording: true,
    // More than the pool has connections, less than would only wait for them.
    workerConcurrency: 50,
  },
  ours: {
    name: 'ours',
    api: 'api/main.js',
    worker: 'worker/main.js',
    isRecording: true,
    workerConcurrency: 128, // the default
  },
  'no-database': {
    name: 'no-database',
    api: 'bench/no-database/main.js',
    worker: undefined,
    isRecording: false,
    workerConcurrency: 1,
  },
}
