import { expect } from 'chai'
import { createSharedAnswers } from '../../api/shared-answers.ts'
import { eventually } from '../support/eventually.ts'

describe('the answers that scrapes share', () => {
  let nowMs = 0
  let asked = 0
  const { ofDatabase } = createSharedAnswers({ nowMs: () => nowMs })
  beforeEach(() => {
    asked = 0
    nowMs += 60_000
  })

  it('are asked for once by many at the same time, and by all within a second', async () => {
    const ask = ofDatabase(() => Promise.resolve(++asked))
    expect(await Promise.all(Array.from({ length: 50 }, ask))).to.deep.equal(Array(50).fill(1))
    nowMs += 999
    expect(await ask()).to.equal(1)
    nowMs += 1
    expect(await ask()).to.equal(2)
  })

  it('are asked for again after a failure, which nobody takes for an answer', async () => {
    const ask = ofDatabase(() => (++asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked)))
    expect(await ask()).to.equal(undefined)
    expect(await ask()).to.equal(2)
  })

  it('are asked of the database two at a time', async () => {
    const ends: (() => void)[] = []
    const question = () => new Promise<void>((resolve) => ends.push(resolve))
    const asking = [1, 2, 3, 4].map(() => ofDatabase(question)())
    await eventually('two are asked', () => ends.length === 2)
    ends.shift()?.()
    await eventually('the third is', () => ends.length === 2)
    for (let left = 3; left > 0; left--) {
      await eventually('one is under way', () => ends.length > 0)
      ends.shift()?.()
    }
    await Promise.all(asking)
  })
})
