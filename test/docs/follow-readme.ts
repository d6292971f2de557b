import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { readBlocks, readDocument } from './markdown.ts'

const readme = readDocument('README.md')

/** What a newcomer pastes, in order; `sh` blocks are for other machines than this one. */
export const [startCommand, ...requests] = readBlocks(readme, 'bash')

/**
 * Does what README.md says, as a newcomer would, with an `npm start` that runs with these variables. Every request must
 * be answered as README.md says, and the worker must do what follows from it.
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

/** In one shell, for later blocks use what earlier ones have set; each line of output is one answer. */
async function paste(blocks: readonly string[], env: Record<string, string>): Promise<unknown[]> {
  const script = `set -eu\n${blocks.join('\necho\n')}`
  // A newcomer's shell has all programs, also where `npm start` was given a PATH without a Redis.
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    env: { ...env, PATH: process.env['PATH'] },
  })
  // curl ends no line: two answers may stand side by side.
  const lines = stdout.replaceAll('}{', '}\n{').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
}
