import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { needProgram } from '../support/need-program.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readBlocks, readDocument } from './markdown.ts'

/** The casino of the management API's example, and then what this document does with it. */
const [makeCasino = ''] = readBlocks(readDocument('docs/integrate/management-api.md'), 'bash')
const [makeKey, ...requests] = readBlocks(readDocument('docs/integrate/sandbox.md'), 'bash')

describe('docs/integrate/sandbox.md', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async function () {
    for (const name of ['curl', 'bash']) needProgram(this, [name], name)
    service = await startService()
    atEnd(() => service.stop())
    service.startWorker()
  })

  /** In one shell; each line of output is one answer. */
  async function paste(...blocks: (string | undefined)[]): Promise<unknown[]> {
    const { stdout } = await promisify(execFile)('bash', ['-c', `set -eu\n${blocks.join('\necho\n')}`], {
      env: { PATH: process.env['PATH'], BASE_URL: service.url, ADMIN_API_KEY: adminApiKey },
    })
    const lines = stdout.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as unknown)
  }

  it('has examples that win and cash back the named item, in the sandbox only', async () => {
    const [showBalance] = requests.splice(-1)
    await paste(makeCasino)
    const [given, opened, cashedBack] = await paste(makeKey, ...requests)
    expect(given).to.have.nested.include({ status: 'success', 'data.item_id': 'spins' })
    expect(opened).to.have.nested.include({ 'prize.item_id': 'mug', 'opening.forced': true })
    expect(cashedBack).to.deep.equal({ status: 'success', message: 'Cashback decision recorded' })
    await service.drain()
    const balanceOf = async (block = '') => (await paste(block))[0]
    expect(await balanceOf(showBalance)).to.deep.equal({
      status: 'success',
      data: { player_id: 'tester-1', balances: [{ currency: 'EUR', amount_minor: 500 }] },
    })
    expect(await balanceOf(showBalance?.replace('acme:test', 'acme'))).to.have.nested.property(
      'data.balances',
    ).that.is.empty
    const { casinoId } = await service.database.opening.findFirstOrThrow()
    expect(casinoId).to.equal('acme:test')
  })
})
