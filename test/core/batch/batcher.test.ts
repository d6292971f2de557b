import { expect } from 'chai'
import fc from 'fast-check'
import { createBatcher } from '../../../core/batch/batcher.ts'
import type { BatcherOptions } from '../../../core/batch/batcher.ts'
import { runs } from '../../support/runs.ts'

/** A process function that keeps its batches until the test lets them go. */
function heldBatches() {
  const batches: { inputs: readonly string[]; release: () => void }[] = []
  const process: BatcherOptions<string, string>['process'] = (inputs) =>
    new Promise((resolve) => {
      batches.push({
        inputs,
        release: () => {
          resolve(inputs.map((input) => ({ value: `${input}!` })))
        },
      })
    })
  return { batches, process }
}
/** The first letter of an input is its lane; batches of four are worth a statement. */
const createLaned = (process: BatcherOptions<string, string>['process']) =>
  createBatcher({
    process,
    exclusiveKeyOf: (input: string) => input,
    laneOf: (input) => input.charAt(0),
    worthwhileSize: 4,
  })
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('batcher', () => {
  it('sends a lone call immediately, and all calls that arrive meanwhile together', async () => {
    const { batches, process } = heldBatches()
    const batcher = createBatcher({ process, exclusiveKeyOf: (input: string) => input, inFlightMax: 1 })
    const first = batcher.run('a')
    await turn()
    const others = ['b', 'c', 'd'].map((input) => batcher.run(input))
    await turn()
    expect(batches.map((batch) => batch.inputs)).to.deep.equal([['a']])
    batches[0]?.release()
    expect(await first).to.equal('a!')
    await turn()
    expect(batches[1]?.inputs).to.deep.equal(['b', 'c', 'd'])
    batches[1]?.release()
    expect(await Promise.all(others)).to.deep.equal(['b!', 'c!', 'd!'])
    expect(batcher.depth()).to.equal(0)
  })

  it('keeps batches and calls in flight within their limits', async () => {
    const { batches, process } = heldBatches()
    const batcher = createBatcher({
      process,
      exclusiveKeyOf: (input: string) => input,
      batchSizeMax: 2,
      inFlightMax: 2,
      worthwhileSize: 1,
    })
    const all = ['a', 'b', 'c', 'd', 'e'].map((input) => batcher.run(input))
    await turn()
    await turn()
    expect(batches.map((batch) => batch.inputs)).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ])
    for (let i = 0; i < 3; i++) {
      batches[i]?.release()
      await turn()
    }
    batches[2]?.release()
    await Promise.all(all)
  })

  it('starts a second batch only when it has enough inputs to be worth a statement of its own', async () => {
    const { batches, process } = heldBatches()
    const batcher = createBatcher({ process, exclusiveKeyOf: (input: string) => input, worthwhileSize: 3 })
    const all = [batcher.run('a')]
    await turn()
    all.push(batcher.run('b'), batcher.run('c'))
    await turn()
    expect(batches).to.have.length(1)
    all.push(batcher.run('d'))
    await turn()
    expect(batches[1]?.inputs).to.deep.equal(['b', 'c', 'd'])
    for (const batch of batches) batch.release()
    await Promise.all(all)
  })

  it('never works on two inputs of the same key at the same time', async () => {
    const { batches, process } = heldBatches()
    const batcher = createBatcher({ process, exclusiveKeyOf: (input: string) => input.charAt(0) })
    const all = ['a1', 'a2', 'b1'].map((input) => batcher.run(input))
    await turn()
    expect(batches.map((batch) => batch.inputs)).to.deep.equal([['a1', 'b1']])
    batches[0]?.release()
    await turn()
    await turn()
    expect(batches[1]?.inputs).to.deep.equal(['a2'])
    batches[1]?.release()
    expect(await Promise.all(all)).to.deep.equal(['a1!', 'a2!', 'b1!'])
  })

  it('refuses calls beyond the backlog immediately', async () => {
    const { batches, process } = heldBatches()
    const batcher = createBatcher({
      process,
      exclusiveKeyOf: (input: string) => input,
      inFlightMax: 1,
      batchSizeMax: 1,
      backlogMax: 1,
    })
    const first = batcher.run('a')
    await turn()
    const waiting = batcher.run('b')
    let refused: unknown
    await batcher.run('c').catch((error: unknown) => (refused = error))
    expect(refused).to.include({ code: 'overloaded' })
    batches[0]?.release()
    await first
    await turn()
    batches[1]?.release()
    await waiting
  })

  const laneOf = (input: string) => input.charAt(0)

  it('takes from each lane in turn', async () => {
    const { batches, process } = heldBatches()
    const exclusiveKeyOf = (input: string) => input
    const batcher = createBatcher({ process, exclusiveKeyOf, laneOf, inFlightMax: 1, batchSizeMax: 4 })
    const all = [batcher.run('a0')]
    await turn()
    for (const input of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) all.push(batcher.run(input))
    for (let n = 0; n < 3; n++) {
      batches[n]?.release()
      await turn()
      await turn()
    }
    await Promise.all(all)
    expect(batches.map(({ inputs }) => inputs)).to.deep.equal([
      ['a0'],
      ['a1', 'b1', 'c1', 'a2'],
      ['a3', 'c2', 'a4'],
    ])
  })

  it('lets the other lanes pass a batch that one lane fills, in one batch at a time', async () => {
    const { batches, process } = heldBatches()
    const batcher = createLaned(process)
    const run = (...inputs: string[]) => inputs.map((input) => batcher.run(input))
    const all = run('A1', 'A2', 'A3', 'b1')
    await turn()
    all.push(...run('A4', 'b2', 'c1'))
    await turn()
    all.push(...run('c2'))
    await turn()
    expect(batches.map(({ inputs }) => inputs)).to.deep.equal([
      ['A1', 'b1', 'A2', 'A3'],
      ['b2', 'c1'],
    ])
    batches[1]?.release()
    await turn()
    await turn()
    expect(batches[2]?.inputs).to.deep.equal(['c2'])
    all.push(...run('A5', 'A6', 'A7'))
    await turn()
    expect(batches[3]?.inputs, 'the usual second batch').to.deep.equal(['A4', 'A5', 'A6', 'A7'])
    for (const { release } of batches) release()
    await Promise.all(all)
    expect(batcher.depth()).to.equal(0)
  })

  it('lets no lane pass a batch that lanes share, or a small one', async () => {
    for (const first of [
      ['A1', 'b1', 'A2', 'b2'],
      ['A1', 'A2', 'A3'],
    ]) {
      const { batches, process } = heldBatches()
      const batcher = createLaned(process)
      const all = first.map((input) => batcher.run(input))
      await turn()
      all.push(batcher.run('c1'))
      await turn()
      expect(batches.map(({ inputs }) => inputs)).to.deep.equal([first])
      batches[0]?.release()
      await turn()
      await turn()
      expect(batches[1]?.inputs).to.deep.equal(['c1'])
      batches[1]?.release()
      await Promise.all(all)
    }
  })

  it('settles every input once, keeps its limits and never runs a key twice at a time, in any order of arrivals and ends', async () => {
    const input = fc.record({
      lane: fc.constantFrom('A', 'A', 'A', 'A', 'b', 'c'),
      key: fc.integer({ min: 1, max: 12 }),
      isLate: fc.boolean(),
    })
    const step = fc.oneof(fc.array(input, { minLength: 1, maxLength: 12 }), fc.constant('end' as const))
    type Input = { lane: string; key: number; isLate: boolean }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.boolean(),
        async (steps, doCallersReturn) => {
          const running: (() => void)[] = []
          const busy = new Set<string>()
          const keyOf = ({ lane, key }: Input) => `${lane}${key}`
          const batcher = createBatcher<Input, Input>({
            exclusiveKeyOf: keyOf,
            laneOf: ({ lane }) => lane,
            batchSizeMax: 6,
            worthwhileSize: 4,
            doCallersReturn,
            process: (inputs) => {
              expect(inputs.length).to.be.within(1, 6)
              for (const one of inputs) {
                expect(busy.has(keyOf(one)), 'a key in flight').to.equal(false)
                busy.add(keyOf(one))
              }
              const free = (one: Input) => {
                busy.delete(keyOf(one))
                return one
              }
              return new Promise((resolve) => {
                const end = () => {
                  resolve(
                    inputs.map((one) =>
                      one.isLate ? { later: turn().then(() => free(one)) } : { value: free(one) },
                    ),
                  )
                }
                running.push(end)
                // Two as usual, and one that passes them.
                expect(running.length).to.be.at.most(3)
              })
            },
          })
          const all: Promise<unknown>[] = []
          const endOne = async () => {
            running.shift()?.()
            for (let number = 0; number < 4; number++) await turn()
          }
          for (const one of steps) {
            if (one === 'end') await endOne()
            else
              all.push(
                ...one.map((wanted) => batcher.run(wanted).then((got) => expect(got).to.equal(wanted))),
              )
            await turn()
          }
          while (batcher.depth() > 0) await endOne()
          await Promise.all(all)
          expect(batcher.depth()).to.equal(0)
        },
      ),
      { numRuns: runs(100) },
    )
  })

  /** Batches of callers that return, of which four are worth a statement, with a clock that the test sets. */
  function createReturned() {
    const { batches, process } = heldBatches()
    let timeMs = 0
    const batcher = createBatcher({
      process,
      exclusiveKeyOf: (input: string) => input.replace(/^hot .*/, 'hot'),
      worthwhileSize: 4,
      doCallersReturn: true,
      nowMs: () => timeMs,
    })
    const all: Promise<string>[] = []
    return {
      sizes: () => batches.map(({ inputs }) => inputs.length),
      call: async (count: number, name = 'input') => {
        for (let n = 0; n < count; n++) all.push(batcher.run(`${name} ${all.length}`))
        await turn()
      },
      /** Ends the batch, which took ten milliseconds. */
      end: async (index: number) => {
        timeMs += 10
        batches[index]?.release()
        await turn()
        await turn()
      },
      pass: (ms: number) => (timeMs += ms),
      finish: async () => {
        while (batcher.depth() > 0) {
          for (const { release } of batches) release()
          timeMs += 10
          await turn()
        }
        await Promise.all(all)
      },
    }
  }

  it('keeps the first callers that return for the others, so that few callers share one batch', async () => {
    const { sizes, call, end, finish } = createReturned()
    await call(6)
    await end(0)
    await call(1)
    await call(2)
    expect(sizes()).to.deep.equal([6])
    await call(1)
    expect(sizes()).to.deep.equal([6, 4])
    await finish()
  })

  it('waits for callers that were answered only until they are quiet, and not at all when enough others wait', async () => {
    const { sizes, call, end, pass, finish } = createReturned()
    await call(6)
    await end(0)
    await call(1)
    expect(sizes()).to.deep.equal([6])
    pass(1)
    while (sizes().length === 1) await turn()
    expect(sizes()).to.deep.equal([6, 1])
    await call(3)
    await end(1)
    expect(sizes()).to.deep.equal([6, 1, 3])
    await finish()
  })

  it('forms two batches of the same size when many callers return, the first as soon as half of them have', async () => {
    const { sizes, call, end, finish } = createReturned()
    await call(20)
    await end(0)
    await call(20)
    expect(sizes()).to.deep.equal([20, 10, 10])
    await call(3)
    await end(1)
    await call(7)
    expect(sizes()).to.deep.equal([20, 10, 10])
    await call(2)
    expect(sizes(), 'half of 23 callers').to.deep.equal([20, 10, 10, 12])
    await finish()
  })

  it('starts a batch even if the last callers stop being expected while that is decided', async () => {
    for (const stepMs of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) {
      let timeMs = 0
      const batcher = createBatcher<string, string>({
        process: async (inputs) => {
          for (let n = 0; n < 20; n++) await turn()
          return inputs.map((input) => ({ value: input }))
        },
        exclusiveKeyOf: (input) => input,
        doCallersReturn: true,
        nowMs: () => (timeMs += stepMs),
      })
      for (let round = 0; round < 5; round++) {
        await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((input) => batcher.run(input)))
        expect(await batcher.run('g')).to.equal('g')
      }
    }
  })

  it('does not count inputs whose key is busy or comes twice among those that make a batch', async () => {
    const { sizes, call, end, finish } = createReturned()
    await call(8, 'hot')
    await call(3)
    expect(sizes(), 'one of them, and three are too few for a second batch').to.deep.equal([1])
    await call(1)
    expect(sizes()).to.deep.equal([1, 4])
    await end(0)
    await call(1)
    expect(sizes(), 'two may start, of which one is hot').to.deep.equal([1, 4])
    await finish()
  })

  it('gives a lane only the part of the backlog that leaves room for others', async () => {
    const { batches, process } = heldBatches()
    const exclusiveKeyOf = (input: string) => input
    const batcher = createBatcher({ process, exclusiveKeyOf, laneOf, inFlightMax: 1, backlogMax: 2 })
    const all = [batcher.run('a0')]
    await turn()
    const isFull = () => ['a', 'b', 'c'].map((lane) => batcher.isFull(lane))
    for (const input of ['a1', 'a2']) all.push(batcher.run(input))
    expect(isFull()).to.deep.equal([true, false, false])
    all.push(batcher.run('b1'))
    expect(isFull()).to.deep.equal([true, true, false])
    expect(await Promise.allSettled([batcher.run('a3'), batcher.run('b2')])).to.have.nested.property(
      '[1].reason.code',
      'overloaded',
    )
    batches[0]?.release()
    await turn()
    await turn()
    batches[1]?.release()
    await Promise.all(all)
    expect(isFull()).to.deep.equal([false, false, false])
  })

  it('has room for as many as make batches cheaper, and in each lane for a worthwhile batch', async () => {
    const { batches, process } = heldBatches()
    const exclusiveKeyOf = (input: string) => input
    const batcher = createBatcher({ process, exclusiveKeyOf, laneOf, inFlightMax: 1 })
    const all = [batcher.run('a0')]
    await turn()
    const add = (lane: string, count: number) => {
      for (let n = 1; n <= count; n++) all.push(batcher.run(`${lane}${n} ${all.length}`))
    }
    const room = () => ['a', 'b'].map((lane) => batcher.room(lane))
    expect(room()).to.deep.equal([64, 64])
    add('a', 40)
    expect(room()).to.deep.equal([24, 44])
    add('a', 24)
    expect(room()).to.deep.equal([0, 32])
    add('a', 60)
    expect(room()).to.deep.equal([-60, 16])
    add('b', 16)
    expect(room()).to.deep.equal([-68, 0])
    batches[0]?.release()
    await turn()
    await turn()
    expect(room(), 'they are in flight').to.deep.equal([64, 64])
    batches[1]?.release()
    await Promise.all(all)
  })

  it('keeps the key of an input until its late result arrives', async () => {
    let finish: (value: string) => void = () => undefined
    const batcher = createBatcher<string, string>({
      process: (inputs) =>
        Promise.resolve(
          inputs.map((input) =>
            input === 'a1' ? { later: new Promise((resolve) => (finish = resolve)) } : { value: input },
          ),
        ),
      exclusiveKeyOf: laneOf,
    })
    const answered: string[] = []
    const all = ['a1', 'a2', 'b1'].map(async (input) => answered.push(await batcher.run(input)))
    for (let n = 0; n < 4; n++) await turn()
    expect(answered).to.deep.equal(['b1'])
    finish('a1 later')
    await Promise.all(all)
    expect(answered).to.deep.equal(['b1', 'a1 later', 'a2'])
    expect(batcher.depth()).to.equal(0)
  })

  it('fails each input with its own error, or all with the error of the batch', async () => {
    const own = createBatcher<string, string>({
      process: (inputs) =>
        Promise.resolve(
          inputs.map((input) => (input === 'bad' ? { error: new Error('mine') } : { value: input })),
        ),
      exclusiveKeyOf: (input) => input,
    })
    const results = await Promise.allSettled([own.run('good'), own.run('bad')])
    expect(results.map((result) => result.status)).to.deep.equal(['fulfilled', 'rejected'])
    const all = createBatcher<string, string>({
      process: () => Promise.reject(new Error('everybody’s')),
      exclusiveKeyOf: (input) => input,
    })
    const failed = await Promise.allSettled([all.run('a'), all.run('b')])
    expect(failed.every((result) => result.status === 'rejected')).to.equal(true)
    expect(all.depth()).to.equal(0)
  })
})
