import { expect } from 'chai'
import { isTooLong, safeTarget, targetLengthMax } from '../../../api/ops/target.ts'

describe('the page that a sign-in leads to', () => {
  const pathOf = (length: number) => `/ops/casinos/acme/orders?player_id=`.padEnd(length, 'x')

  it('is the first page if its address is too long, which is said', () => {
    expect(safeTarget('/ops', pathOf(targetLengthMax))).to.equal(pathOf(targetLengthMax))
    expect(isTooLong(pathOf(targetLengthMax))).to.equal(false)
    expect(safeTarget('/ops', pathOf(targetLengthMax + 1))).to.equal('/ops/')
    expect(isTooLong(pathOf(targetLengthMax + 1))).to.equal(true)
  })

  it('is not said to be too long if it is refused for another reason', () => {
    for (const wanted of [undefined, ['/ops/'], '//evil.example.com', '/ops/login']) {
      expect(safeTarget('/ops', wanted)).to.equal('/ops/')
      expect(isTooLong(wanted)).to.equal(false)
    }
  })
})
