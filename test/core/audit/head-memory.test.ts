import { expect } from 'chai'
import { createHeadMemory } from '../../../core/audit/head-memory.ts'

describe('the memory of the ends of audit trails', () => {
  it('asks an unavailable Redis only once in ten seconds, and uses the memory of the process meanwhile', async () => {
    let [asked, nowMs, isAway] = [0, 0, true]
    const warnings: string[] = []
    const memory = createHeadMemory({
      hashSecret: 'secret',
      runScript: () => {
        asked += 1
        return isAway ? Promise.reject(new Error('timed out')) : Promise.resolve(['head:other'])
      },
      log: { warn: (_fields: unknown, message?: string) => void warnings.push(message ?? '') },
      nowMs: () => nowMs,
    })
    await memory.remember([{ casinoId: 'lucky', sequence: 3n, hash: Buffer.alloc(32) }])
    expect(await memory.casinoIds()).to.deep.equal(['lucky'])
    expect((await memory.recall(['lucky'])).get('lucky')?.sequence).to.equal(3n)
    expect(asked).to.equal(1)
    nowMs += 10_000
    await memory.casinoIds()
    expect([asked, warnings.length]).to.deep.equal([2, 1])
    isAway = false
    nowMs += 10_000
    expect(await memory.casinoIds()).to.deep.equal(['lucky', 'other'])
    await memory.casinoIds()
    expect(asked).to.equal(4)
  })
})
