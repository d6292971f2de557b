import type { JobName, JobPayload } from '../core/queue/jobs.ts'
import { runWithoutSpan } from '../core/trace/current-span.ts'
import type { Tracer } from '../core/trace/tracer.ts'

/**
 * Runs a job in a span of the trace that caused it, also if the job was lost and relayed later. Work that was not traced
 * begins a trace.
 */
export function inJobSpan<Result>(
  tracer: Tracer | undefined,
  name: JobName,
  { objectId, traceparent }: Partial<JobPayload>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return runWithoutSpan(work)
  const attributes = {
    'rewards.job': name,
    ...(objectId === undefined ? {} : { 'rewards.objectId': objectId }),
  }
  return tracer.run({ name: `job ${name}`, kind: 'consumer', parent: traceparent, attributes }, work)
}
