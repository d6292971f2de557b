import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { readBlocks, readDocument } from './markdown.ts'

const readme = readDocument('README.md')

/** The blocks that a newcomer pastes, in order; `sh` blocks are for other machines. */
export const [startCommand, ...requests] = readBlocks(readme, 'bash')

/**
 * Follows README.md as a newcomer would, beside an `npm start` that runs with these variables. Every request must get
 * the answer in README.md, and the worker must do the work that results.
 */
export async function followReadme(env: Record<string, string>): Promise<void> {
  const [opened, cashedBack, ordered, , prize] = await paste(requests, env)
  expect(opened).to.include({ status: 'success', message: 'Box opened successfully' })
  expect(cashedBack).to.deep.equal({ status: 'success', message: 'Cashback decision recorded' })
  expect(ordered).to.deep.equal({
    status: 'success',
    message: 'Prize order recorded. Awaiting confirmation for shipment.',
  })
  const { prize_id } = (prize as { data: { prize_id: string } }).data
  await eventually('the worker has credited the cashback and announced the order', async () => {
    const look = [requests[0] ?? '', `mug_id=${prize_id}`, requests.at(-1) ?? '']
    const shown = JSON.stringify(await paste(look, env))
    return (
      shown.includes('"currency":"EUR","amount_minor"') &&
      shown.includes('prize_order.confirmation_requested')
    )
  })
}

/** Runs all blocks in one shell, because later ones use variables of earlier ones. Each line of output is an answer. */
async function paste(blocks: readonly string[], env: Record<string, string>): Promise<unknown[]> {
  const script = `set -eu\n${blocks.join('\necho\n')}`
  // A newcomer's shell has all programs, even if `npm start` was given a PATH without Redis.
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    env: { ...env, PATH: process.env['PATH'] },
  })
  // curl adds no line break, so two answers may be on one line.
  const lines = stdout.replaceAll('}{', '}\n{').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
}
