import { expect } from 'chai'
import type { Settled } from '../../../core/batch/batcher.ts'
import { createLaneBatcher } from '../../../core/batch/lane-batcher.ts'

const turns = async () => {
  for (let n = 0; n < 6; n++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Inputs are a lane's letter, a number, and what is the matter: `!` somebody holds its row, `*` it holds up its batch. Batches
 * of a lane alone wait until the test lets them go; then what is the matter fails or, when it is over, succeeds.
 */
function createWorld() {
  const shared: string[][] = []
  const alone: { inputs: readonly string[]; release: (isOver?: boolean) => Promise<void> }[] = []
  const batcher = createLaneBatcher<string, string>({
    laneOf: (input) => input.charAt(0),
    exclusiveKeyOf: (input) => input,
    isHeldUp: (result) => 'error' in result,
    processShared: (inputs) => {
      shared.push([...inputs])
      const isHeldUp = inputs.some((input) => input.endsWith('*'))
      return Promise.resolve(
        inputs.map((input) => {
          if (isHeldUp) return 'held_up'
          return input.endsWith('!') ? 'set_aside' : { value: 'shared' }
        }),
      )
    },
    processAlone: (inputs) =>
      new Promise((resolve) => {
        alone.push({
          inputs,
          release: async (isOver = false) => {
            resolve(
              inputs.map((input): Settled<string> =>
                /[!*]$/.test(input) && !isOver ? { error: new Error(input) } : { value: 'alone' },
              ),
            )
            await turns()
          },
        })
      }),
  })
  const answers: Record<string, string> = {}
  const run = async (...inputs: string[]) => {
    for (const input of inputs) {
      batcher.run(input).then(
        (value) => (answers[input] = value),
        () => (answers[input] = 'failed'),
      )
    }
    await turns()
  }
  return { batcher, shared, alone, answers, run }
}

describe('a batcher of lanes', () => {
  it('answers who need not wait, and works on the others in batches of their own', async () => {
    const { batcher, alone, answers, run } = createWorld()
    await run('a1', 'a2!', 'b1', 'b2!')
    expect(answers).to.deep.equal({ a1: 'shared', b1: 'shared' })
    expect(alone.map(({ inputs }) => inputs)).to.deep.equal([['a2!'], ['b2!']])
    expect(batcher.depth()).to.equal(2)
    await run('a3', 'b3')
    expect(answers).to.include({ a3: 'shared', b3: 'shared' })
    await alone[1]?.release(true)
    await alone[0]?.release()
    expect(answers).to.include({ 'a2!': 'failed', 'b2!': 'alone' })
    expect(batcher.depth()).to.equal(0)
  })

  it('works on one batch of a lane at a time, and on those of two lanes', async () => {
    const { alone, answers, run } = createWorld()
    await run('a1!', 'b1!', 'c1!')
    await run('a2!', 'a3!')
    expect(alone.map(({ inputs }) => inputs)).to.deep.equal([['a1!'], ['b1!']])
    await alone[0]?.release()
    expect(alone.slice(2).map(({ inputs }) => inputs)).to.deep.equal([['c1!']])
    await alone[1]?.release()
    expect(alone.slice(3).map(({ inputs }) => inputs)).to.deep.equal([['a2!', 'a3!']])
    await alone[2]?.release()
    await alone[3]?.release(true)
    expect(answers).to.deep.equal({
      'a1!': 'failed',
      'b1!': 'failed',
      'c1!': 'failed',
      'a2!': 'alone',
      'a3!': 'alone',
    })
  })

  it('tells lanes apart after a batch that was held up, until each has a batch that goes well', async () => {
    const { batcher, shared, alone, answers, run } = createWorld()
    await run('a1*', 'b1')
    expect(answers).to.deep.equal({})
    await alone[0]?.release()
    await alone[1]?.release()
    expect(answers).to.deep.equal({ 'a1*': 'failed', b1: 'alone' })
    await run('a2*', 'b2')
    expect(answers).to.include({ b2: 'shared' })
    expect(shared).to.deep.equal([['a1*', 'b1'], ['b2']])
    expect(batcher.depth()).to.equal(1)
    await alone[2]?.release(true)
    await run('a3')
    expect(answers).to.include({ 'a2*': 'alone', a3: 'shared' })
  })
})
