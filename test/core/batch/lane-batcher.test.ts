import { expect } from 'chai'
import { createLaneBatcher } from '../../../core/batch/lane-batcher.ts'

const turns = async () => {
  for (let n = 0; n < 6; n++) await new Promise((resolve) => setImmediate(resolve))
}

interface Step {
  inputs: readonly string[]
  release: (isOver?: boolean) => Promise<void>
}

/**
 * Inputs are a lane's letter, a number, and what is the matter: `!` somebody holds its row, `*` it holds up its batch, `~` it
 * needs two turns of its lane alone, `&` any number. Those turns, and batches that wait for rows, end when the test lets them; then what
 * waits for a row fails or, when that is over, succeeds.
 */
function createWorld() {
  const shared: string[][] = []
  const turnsTaken: Step[] = []
  const waits: Step[] = []
  const seen = new Set<string>()
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
          return /[!~&]$/.test(input) ? 'set_aside' : { value: 'shared' }
        }),
      )
    },
    processAlone: (inputs) =>
      new Promise((resolve) => {
        const toResult = (input: string, isOver: boolean) => {
          if (/[!*]$/.test(input) && !isOver) return 'held_up'
          if (input.endsWith('&')) return 'set_aside'
          if (!input.endsWith('~') || seen.has(input)) return { value: 'alone' }
          seen.add(input)
          return 'set_aside'
        }
        turnsTaken.push({
          inputs,
          release: (isOver = false) => {
            resolve(inputs.map((input) => toResult(input, isOver)))
            return turns()
          },
        })
      }),
    processWaiting: (inputs) =>
      new Promise((resolve) => {
        waits.push({
          inputs,
          release: (isOver = false) => {
            resolve(inputs.map((input) => (isOver ? { value: 'waited' } : { error: new Error(input) })))
            return turns()
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
  const inputsOf = (steps: readonly Step[]) => steps.map(({ inputs }) => inputs)
  return { batcher, shared, turnsTaken, waits, answers, run, inputsOf }
}

describe('a batcher of lanes', () => {
  it('answers inputs that need no wait, and processes the others in batches of their own lane', async () => {
    const { batcher, turnsTaken, waits, answers, run, inputsOf } = createWorld()
    await run('a1', 'a2!', 'b1', 'b2!')
    expect(answers).to.deep.equal({ a1: 'shared', b1: 'shared' })
    expect(inputsOf(turnsTaken)).to.deep.equal([['a2!'], ['b2!']])
    expect(batcher.depth()).to.equal(2)
    await run('a3', 'b3')
    expect(answers).to.include({ a3: 'shared', b3: 'shared' })
    await turnsTaken[1]?.release(true)
    await turnsTaken[0]?.release()
    await waits[0]?.release()
    expect(answers).to.include({ 'a2!': 'failed', 'b2!': 'alone' })
    expect(batcher.depth()).to.equal(0)
  })

  it('makes an input wait for its rows when it is not done after many rounds', async () => {
    const { turnsTaken, waits, answers, run, inputsOf } = createWorld()
    await run('a1&', 'a2~')
    for (let turn = 0; turn < 100 && waits.length === 0; turn++) await turnsTaken[turn]?.release()
    expect(turnsTaken).to.have.length(20)
    expect(inputsOf(waits)).to.deep.equal([['a1&']])
    await waits[0]?.release(true)
    expect(answers).to.deep.equal({ 'a1&': 'waited', 'a2~': 'alone' })
  })

  it('works on one batch of a lane at a time, and on the batches of two lanes', async () => {
    const { turnsTaken, answers, run, inputsOf } = createWorld()
    await run('a1~', 'b1~', 'c1~')
    await run('a2~', 'a3~')
    expect(inputsOf(turnsTaken)).to.deep.equal([['a1~'], ['b1~']])
    await turnsTaken[0]?.release()
    expect(inputsOf(turnsTaken.slice(2))).to.deep.equal([['c1~']]) // before the second turn of a1
    await turnsTaken[1]?.release()
    await turnsTaken[2]?.release()
    expect(inputsOf(turnsTaken.slice(3))).to.deep.equal([['a1~'], ['b1~']])
    await turnsTaken[3]?.release()
    await turnsTaken[4]?.release()
    expect(inputsOf(turnsTaken.slice(5))).to.deep.equal([['c1~'], ['a2~', 'a3~']])
    expect(answers).to.deep.equal({ 'a1~': 'alone', 'b1~': 'alone' })
  })

  it('takes turns while other lanes wait for rows, two at a time', async () => {
    const { turnsTaken, waits, answers, run, inputsOf } = createWorld()
    await run('a1!', 'b1!', 'c1!')
    for (let n = 0; n < 3; n++) await turnsTaken[n]?.release()
    expect(inputsOf(waits)).to.deep.equal([['a1!'], ['b1!']])
    await run('d1~', 'a2~')
    for (let n = 3; n < 7; n++) await turnsTaken[n]?.release()
    expect(answers).to.deep.equal({ 'd1~': 'alone', 'a2~': 'alone' })
    await waits[0]?.release()
    expect(inputsOf(waits.slice(2))).to.deep.equal([['c1!']])
    await waits[1]?.release(true)
    await waits[2]?.release()
    expect(answers).to.include({ 'a1!': 'failed', 'b1!': 'waited', 'c1!': 'failed' })
  })

  it('has room in a lane that is held up as its own batches have', async () => {
    const { batcher, run } = createWorld()
    await run('a1*', 'b1')
    await run('a2', 'a3')
    expect(['a', 'b', 'c'].map((lane) => batcher.room(lane))).to.deep.equal([62, 64, 64])
  })

  it('keeps lanes apart after a batch that was held up, until each has a successful batch', async () => {
    const { batcher, shared, turnsTaken, waits, answers, run } = createWorld()
    await run('a1*', 'b1')
    expect(answers).to.deep.equal({})
    await turnsTaken[0]?.release()
    await turnsTaken[1]?.release()
    expect(answers).to.deep.equal({ b1: 'alone' })
    await run('a2', 'b2')
    expect(answers).to.deep.equal({ b1: 'alone', b2: 'shared' })
    await turnsTaken[2]?.release() // goes well, but another one of its lane waits still
    await run('a3')
    await turnsTaken[3]?.release()
    await waits[0]?.release()
    expect(answers).to.include({ 'a1*': 'failed', a2: 'alone', a3: 'alone' })
    await run('a4*', 'b3')
    expect(shared).to.deep.equal([['a1*', 'b1'], ['b2'], ['b3']])
    expect(batcher.depth()).to.equal(1)
    await turnsTaken[4]?.release(true)
    await run('a5')
    expect(answers).to.include({ 'a4*': 'alone', a5: 'shared' })
  })
})
