import { expect } from 'chai'
import fc from 'fast-check'
import { correctByHolm } from '../../../tools/rng/holm.ts'

describe('Holm’s correction', () => {
  it('gives the corrected values of a worked example, in the order of the input', () => {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    const corrected = correctByHolm([0.01, 0.04, 0.03, 0.005])
    expect(corrected.map((value) => Number(value.toFixed(6)))).to.deep.equal([0.03, 0.06, 0.06, 0.02])
  })

  it('is never below the p-value, never above Bonferroni’s correction or one, and keeps the order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (pValues) => {
        const corrected = correctByHolm(pValues)
        for (const [i, pValue] of pValues.entries()) {
          expect(corrected[i]).to.be.within(pValue, Math.min(1, pValue * pValues.length))
          for (const [j, other] of pValues.entries()) {
            if (pValue < other) expect(corrected[i]).to.be.at.most(corrected[j] ?? 0)
          }
        }
      }),
    )
  })
})
