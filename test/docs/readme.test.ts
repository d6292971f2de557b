import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findFreePort } from '../../local/free-port.ts'
import { findOnPath, makeLocalDir, removeLocalDir, runStart } from '../local/run-start.ts'
import type { StartRun } from '../local/run-start.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { readBlocks, readDocument, readTable } from './markdown.ts'

const readme = readDocument('README.md')
/** What a newcomer pastes, in order; `sh` blocks are for other machines than this one. */
const [startCommand, ...requests] = readBlocks(readme, 'bash')
const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }

describe('README.md', function () {
  this.timeout(120_000)

  it('names only scripts that exist', () => {
    const named = [
      ...readme.matchAll(/\bnpm (?:run )?(start|test|check|bench|[a-z]+:[a-z]+|migrate|build)\b/g),
    ]
    expect(named.length).to.be.greaterThan(7)
    for (const [, name = ''] of named) expect(scripts).to.have.property(name)
  })

  describe('as a newcomer follows it', () => {
    let localDir: string
    let env: Record<string, string>
    let run: StartRun

    const atEnd = atEndOfSuite()
    const start = async () => {
      run = runStart(env)
      const { terminate, ended } = run
      atEnd(async () => {
        terminate()
        await ended
      })
      await run.printed('Ctrl-C stops everything')
    }
    before(async function () {
      if (findOnPath('curl') === undefined || findOnPath('bash') === undefined) this.skip()
      localDir = await makeLocalDir()
      atEnd(() => removeLocalDir(localDir))
      env = { LOCAL_DIR: localDir, PORT: String(await findFreePort()) }
      for (const name of Object.keys(env)) {
        expect(readTable(readme, '## Run it').map(([variable]) => variable)).to.include(name)
      }
      await start()
    })

    /** In one shell, for later blocks use what earlier ones have set; each line of output is one answer. */
    async function paste(blocks: readonly string[]): Promise<unknown[]> {
      const script = `set -eu\n${blocks.join('\necho\n')}`
      const { stdout } = await promisify(execFile)('bash', ['-c', script], {
        env: { PATH: process.env['PATH'], ...env },
      })
      // curl ends no line: two answers may stand side by side.
      const lines = stdout.replaceAll('}{', '}\n{').split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
    }

    it('starts with the command that it names', () => {
      expect(startCommand).to.equal('npm ci && npm start\n')
    })

    it('has three requests that succeed, and shows what the worker made of them', async () => {
      const [opened, cashedBack, ordered, , prize] = await paste(requests)
      expect(opened).to.include({ status: 'success', message: 'Box opened successfully' })
      expect(cashedBack).to.deep.equal({ status: 'success', message: 'Cashback decision recorded' })
      expect(ordered).to.deep.equal({
        status: 'success',
        message: 'Prize order recorded. Awaiting confirmation for shipment.',
      })
      const { prize_id } = (prize as { data: { prize_id: string } }).data
      await eventually('the worker has done both', async () => {
        const shown = JSON.stringify(
          await paste([requests[0] ?? '', `mug_id=${prize_id}`, requests.at(-1) ?? '']),
        )
        return (
          shown.includes('"currency":"EUR","amount_minor"') &&
          shown.includes('prize_order.confirmation_requested')
        )
      })
    })

    it('can be followed again after the next start', async () => {
      run.terminate()
      await run.ended
      await start()
      const answers = await paste(requests)
      expect(answers.map((answer) => (answer as { status: string }).status)).to.deep.equal(
        Array.from({ length: answers.length }, () => 'success'),
      )
    })
  })
})
