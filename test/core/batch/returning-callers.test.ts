import { expect } from 'chai'
import { createReturningCallers } from '../../../core/batch/returning-callers.ts'

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

  it('are expected while calls or answers keep coming, and not after a millisecond without any', () => {
    const { returning, pass } = createExpected(5, 100)
    for (let n = 0; n < 3; n++) {
      pass(0.9)
      returning.arrive()
    }
    expect(returning.count()).to.equal(2)
    pass(0.9)
    returning.expect(4, 100)
    pass(0.9)
    expect(returning.count()).to.equal(6)
    pass(0.2)
    expect(returning.count()).to.equal(0)
  })

  it('are not expected after the given time, even if calls keep coming', () => {
    const { returning, pass } = createExpected(100, 3)
    for (let n = 0; n < 3; n++) {
      expect(returning.count()).to.equal(100 - n)
      pass(0.9)
      returning.arrive()
    }
    pass(0.5)
    expect(returning.count()).to.equal(0)
  })

  it('are watched until none is expected', async () => {
    const { returning, quiet, pass } = createExpected(1, 100)
    let isQuiet = false
    void quiet.then(() => (isQuiet = true))
    returning.watch()
    await new Promise((resolve) => setImmediate(resolve))
    expect(isQuiet).to.equal(false)
    pass(1)
    await quiet
    expect(returning.count()).to.equal(0)
  })
})
