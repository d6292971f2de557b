import type { BatcherOptions } from '../batch/batcher.ts'
import type { JobPayload } from '../queue/jobs.ts'

/**
 * Options of a batcher whose inputs are works of jobs: casinos share its batches fairly, however much work one of them
 * has. All work is accepted: a worker has a limited number of jobs, and each a limited number of works.
 */
export function casinoLanes<Input>(
  workOf: (input: Input) => JobPayload,
): Pick<BatcherOptions<Input, unknown>, 'laneOf' | 'backlogMax'> {
  return { laneOf: (input) => workOf(input).casinoId ?? '', backlogMax: Infinity }
}
