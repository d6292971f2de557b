import { expect } from 'chai'
import { createReturningCallers } from '../../../core/batch/returning-callers.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('returning callers', () => {
  function createExpected(count: number, forMsMax: number) {
    let timeMs = 0
    let onQuiet: () => void = () => undefined
    const quiet = new Promise<void>((resolve) => (onQuiet = resolve))
    const returning = createReturningCallers(onQuiet, () => timeMs)
    returning.expect(count, forMsMax)
    return { returning, quiet, pass: (ms: number) => (timeMs += ms) }
  }

  it('are fewer after each call, and never less than none', () => {
    const { returning } = createExpected(2, 100)
    expect(returning.count()).to.equal(2)
    returning.arrive()
    expect(returning.count()).to.equal(1)
    returning.arrive()
    returning.arrive()
    expect(returning.count()).to.equal(0)
  })

  it('are expected while their answers are sent and calls keep coming, and not after a millisecond without any', async () => {
    const { returning, pass } = createExpected(5, 100)
    pass(20)
    expect(returning.count(), 'while the answers are sent').to.equal(5)
    await turn()
    for (let n = 0; n < 3; n++) {
      pass(0.9)
      returning.arrive()
    }
    expect(returning.count()).to.equal(2)
    pass(0.9)
    returning.expect(4, 100)
    await turn()
    pass(0.9)
    expect(returning.count()).to.equal(6)
    pass(0.2)
    expect(returning.count()).to.equal(0)
    returning.arrive()
    expect(returning.count(), 'a call does not bring back the others').to.equal(0)
  })

  it('are not expected after the given time, even if calls keep coming', async () => {
    const { returning, pass } = createExpected(100, 3)
    await turn()
    for (let n = 0; n < 3; n++) {
      expect(returning.count()).to.equal(100 - n)
      pass(0.9)
      returning.arrive()
    }
    pass(0.5)
    expect(returning.count()).to.equal(0)
  })

  it('are not expected while most of them do not come back that soon, and again when they do', async () => {
    const { returning, pass } = createExpected(10, 100)
    const answerThenReceive = async (calls: number) => {
      returning.expect(10, 100)
      const expected = returning.count()
      await turn()
      for (let n = 0; n < calls; n++) returning.arrive()
      pass(2)
      return expected
    }
    await turn()
    pass(2)
    const expected: number[] = []
    for (const calls of [0, 0, 0, 10, 10, 10]) expected.push(await answerThenReceive(calls))
    expect(expected).to.deep.equal([10, 10, 0, 0, 0, 10])
  })

  it('are watched until none is expected', async () => {
    const { returning, quiet, pass } = createExpected(1, 100)
    let isQuiet = false
    void quiet.then(() => (isQuiet = true))
    returning.watch()
    await turn()
    expect(isQuiet).to.equal(false)
    pass(1)
    await quiet
    expect(returning.count()).to.equal(0)
  })
})
