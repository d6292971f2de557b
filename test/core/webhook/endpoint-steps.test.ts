import { expect } from 'chai'
import { mergedByUrl } from '../../../core/webhook/endpoint-steps.ts'
import type { ShownEndpoint } from '../../../core/webhook/endpoint-steps.ts'

const early = new Date('2026-03-04T12:00:00Z')
const late = new Date('2026-03-04T13:00:00Z')

const failed: ShownEndpoint = {
  casinoId: 'casino',
  endpointId: 'endpoint',
  url: 'https://receiver.example',
  works: false,
  restUntil: null,
  disable: null,
  traceparent: null,
}

describe('the findings of several calls about an endpoint', () => {
  it('are one for each URL, with the longest rest that was asked for', () => {
    const rests = [null, late, early, null].map((restUntil) => ({ ...failed, restUntil }))
    const other = { ...failed, url: 'https://other.example' }
    expect(mergedByUrl([...rests, other])).to.deep.equal([{ ...failed, restUntil: late }, other])
  })

  it('do not disable it for failures if one call succeeded, but do if it is gone', () => {
    const failing = { ...failed, disable: 'failing' } as const
    const gone = { ...failed, disable: 'gone' } as const
    const works = { ...failed, works: true }
    expect(mergedByUrl([failed, failing])).to.deep.equal([failing])
    expect(mergedByUrl([failing, works])).to.deep.equal([works])
    expect(mergedByUrl([works, failing])).to.deep.equal([works])
    expect(mergedByUrl([failing, gone, works])).to.deep.equal([{ ...gone, works: true }])
  })

  it('are disabled within the trace of the call that was the reason', () => {
    const traceOf = (...shown: Partial<ShownEndpoint>[]) =>
      mergedByUrl(shown.map((one) => ({ ...failed, ...one }))).map(({ traceparent }) => traceparent)
    const works = { works: true, traceparent: 'works' }
    const failing = { disable: 'failing', traceparent: 'failing' } as const
    const gone = { disable: 'gone', traceparent: 'gone' } as const
    expect(traceOf({ traceparent: 'first' }, failing, { traceparent: 'last' })).to.deep.equal(['failing'])
    expect(traceOf(failing, gone, works)).to.deep.equal(['gone'])
    expect(traceOf(gone, failing)).to.deep.equal(['gone'])
  })
})
