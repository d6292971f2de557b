import { expect } from 'chai'
import { timedEvents, writtenEvents } from '../../../core/event/written-events.ts'
import { sql } from '../../../core/platform/sql.ts'
import { runWithin } from '../../../core/trace/current-span.ts'
import type { Span } from '../../../core/trace/tracer.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

/** A span without a tracer. */
const spanOf = (isSampled: boolean): Span => ({
  traceId,
  spanId,
  traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`,
  isSampled,
  tracer: { run: () => Promise.reject(new Error('nothing runs here')), stop: () => Promise.resolve() },
  rename: () => undefined,
  set: () => undefined,
  fail: () => undefined,
})

const event = {
  from: sql`voided`,
  objectType: 'prize',
  objectId: sql`id`,
  sequence: sql`revision`,
  type: 'prize.voided',
  toState: 'voided',
  actor: 'admin',
} as const

describe('the trace of events', () => {
  const write = () => writtenEvents(sql`now()`, event)

  it('costs nothing where tracing is off: the statement does not name it', () => {
    expect(write().sql).to.not.include('trace')
    expect(timedEvents({ ...event, traceparent: sql`traceparent` })(new Date()).sql).to.not.include('trace')
  })

  it('is that of the request or job that writes them, if it is exported', () => {
    const traced = runWithin(spanOf(true), write)
    expect(traced.sql).to.include('trace_id')
    expect(traced.values).to.include(traceId).and.to.include(spanOf(true).traceparent)
    const excluded = runWithin(spanOf(false), write)
    expect(excluded.values).to.include(null).and.to.not.include(traceId)
    expect(excluded.values, 'what follows is excluded too').to.include(spanOf(false).traceparent)
  })

  it('is never that of the batch which a statement for many requests happened to be built in', () => {
    const written = timedEvents({ ...event, traceparent: sql`accepted.traceparent` })
    const traced = runWithin(spanOf(true), () => written(new Date()))
    expect(traced.sql).to.include('substring(accepted.traceparent FROM')
    expect(traced.values).to.not.include(traceId).and.to.not.include(spanOf(true).traceparent)
    expect(written(new Date()).sql, 'later, without traces').to.not.include('trace')
  })
})
