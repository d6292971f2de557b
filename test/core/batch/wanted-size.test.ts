import { expect } from 'chai'
import { wantedSize } from '../../../core/batch/wanted-size.ts'

describe('wantedSize', () => {
  const sizes = { worthwhileSize: 16, batchSizeMax: 256 }
  for (const [waiting, inFlight, returning, wanted, why] of [
    [1, 0, 0, 1, 'a lone caller waits for no other'],
    [2, 0, 0, 1, 'callers that wait are enough when none is expected'],
    [1, 0, 1, 1, 'two callers that take turns need not wait for each other'],
    [1, 0, 15, 12, 'few callers share one batch'],
    [4, 0, 12, 12, 'which does not become smaller when they return'],
    [8, 8, 0, 16, 'a small batch beside another is not worth a statement'],
    [20, 0, 44, 32, 'half of many callers'],
    [10, 32, 22, 32, 'and the other half beside them'],
    [64, 0, 0, 32, 'those that wait are more than half'],
    [300, 256, 256, 256, 'no batch is larger than allowed'],
  ] as const) {
    it(`is ${wanted} for ${waiting} waiting, ${inFlight} in flight and ${returning} returning: ${why}`, () => {
      expect(wantedSize({ waiting, inFlight, returning }, sizes)).to.equal(wanted)
    })
  }
})
