import { expect } from 'chai'
import { defaultRateLimits, formatRateLimits, parseRateLimits } from '../../../core/platform/rate-limits.ts'

const parse = (text: string) => parseRateLimits(text, defaultRateLimits)

describe('RATE_LIMITS', () => {
  it('is read in its documented form', () => {
    expect(parse(formatRateLimits(defaultRateLimits))).to.deep.equal(defaultRateLimits)
    expect(parse('box_open=0.5/3,reads=none')).to.deep.equal({
      ...defaultRateLimits,
      box_open: { perSecond: 0.5, burst: 3 },
      reads: null,
    })
  })

  it('is refused in any other form', () => {
    const wrong = [
      '',
      'box_open',
      'box_open=',
      'box_open=5',
      'box_open=5/',
      'box_open=/5',
      'box_open=-5/5',
      'box_open=5/5,',
      'box_open=0/5',
      'box_open=5/0',
      'box_open=5/1.5',
      'box_open=1e3/5',
      'box_open=2000000/5',
      'box_open=5/99999999',
      'all=5/5',
      'Box_open=5/5',
      'box_open=5/5,box_open=6/6',
      'box_open = 5/5',
      '__proto__=5/5',
      'reads=None',
    ]
    for (const text of wrong) expect(parse(text), text).to.equal(undefined)
  })
})
