import { expect } from 'chai'
import { createSharedAnswers } from '../../api/shared-answers.ts'
import { eventually } from '../support/eventually.ts'

describe('the answers that concurrent scrapes share', () => {
  let nowMs = 0
  let asked = 0
  let logged: string[] = []
  const note = (_fields: object, message: string) => {
    logged.push(message)
  }
  const { ask: about } = createSharedAnswers({ nowMs: () => nowMs, log: { warn: note, info: note } })
  beforeEach(() => {
    asked = 0
    logged = []
    nowMs += 60_000
  })

  it('are requested once by many callers at the same time, and by all within a second', async () => {
    const ask = about('one', () => Promise.resolve(++asked))
    expect(await Promise.all(Array.from({ length: 50 }, ask))).to.deep.equal(Array(50).fill(1))
    nowMs += 999
    expect(await ask()).to.equal(1)
    nowMs += 1
    expect(await ask()).to.equal(2)
  })

  it('are requested again after a failure, which is not cached', async () => {
    const ask = about('one', () =>
      ++asked <= 2 ? Promise.reject(new Error('away')) : Promise.resolve(asked),
    )
    expect([await ask(), await ask(), await ask()]).to.deep.equal([undefined, undefined, 3])
    expect(logged).to.deep.equal([
      'cannot read the data of a metric',
      'the data of a metric can be read again',
    ])
  })

  it('are queried from the database two at a time', async () => {
    const ends: (() => void)[] = []
    const question = () => new Promise<void>((resolve) => ends.push(resolve))
    const asking = ['a', 'b', 'c', 'd'].map((name) => about(name, question)())
    await eventually('two are asked', () => ends.length === 2)
    ends.shift()?.()
    await eventually('the third is', () => ends.length === 2)
    for (let left = 3; left > 0; left--) {
      await eventually('one is under way', () => ends.length > 0)
      ends.shift()?.()
    }
    await Promise.all(asking)
  })

  it('do not delay each other: each question has its own time limit', async () => {
    const { ask: impatient } = createSharedAnswers({
      nowMs: () => nowMs,
      log: { warn: note, info: note },
      answerMs: 20,
    })
    const ends: (() => void)[] = []
    const slow = () => new Promise<void>((resolve) => ends.push(resolve))
    const asking = [impatient('slow', slow)(), impatient('slower', slow)()]
    const quick = impatient('quick', () => Promise.resolve('answered'))()
    expect(await Promise.all(asking)).to.deep.equal([undefined, undefined])
    for (const end of ends) end()
    expect(await quick).to.equal('answered')
  })
})
