import { expect } from 'chai'
import fc from 'fast-check'
import { formatTraceparent, parseTraceparent } from '../../../core/trace/traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('A traceparent', () => {
  it('is read as W3C Trace Context says', () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).to.deep.equal({ traceId, spanId, isSampled: true })
    expect(parseTraceparent(`00-${traceId}-${spanId}-02`)).to.deep.equal({
      traceId,
      spanId,
      isSampled: false,
    })
    // A later version may say more, and has the same beginning.
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-more`)?.spanId).to.equal(spanId)
  })

  it('is ignored if it is invalid', () => {
    for (const text of [
      undefined,
      null,
      '',
      'nonsense',
      `00-${traceId}-${spanId}-01-more`,
      `ff-${traceId}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${traceId}-${spanId}-01\n`,
      `cc-${traceId}-${spanId}-01-${'x'.repeat(500)}`,
    ]) {
      expect(parseTraceparent(text), String(text)).to.equal(undefined)
    }
  })

  it('is parsed back to the same trace after it is formatted', () => {
    const hex = (length: number) =>
      fc
        .array(fc.constantFrom('0', '1', '7', '9', 'a', 'f'), { minLength: length, maxLength: length })
        .map((digits) => digits.join(''))
        .filter((text) => /[^0]/.test(text))
    const places = fc.record({ traceId: hex(32), spanId: hex(16), isSampled: fc.boolean() })
    fc.assert(
      fc.property(places, (place) => {
        expect(parseTraceparent(formatTraceparent(place))).to.deep.equal(place)
      }),
    )
  })
})
