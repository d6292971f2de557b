import { expect } from 'chai'
import { drawEntry } from '../../core/box/draw.ts'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { commitmentOf, createDrawSource } from '../../core/fairness/derive.ts'
import type { DrawInput } from '../../core/fairness/derive.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { draw } from '../../tools/verify.mjs'
import { drawIndependently } from '../support/independent-draw.ts'
import { exportPages } from '../support/evidence.ts'
import { startService } from '../support/service.ts'
import { runVerify } from '../support/verify.ts'
import { readBlocks, readDocument, readTable } from './markdown.ts'

const text = readDocument('docs/integrate/fairness.md')
const verifierDraw = draw as (seed: Uint8Array, input: DrawInput, weights: bigint[]) => number

describe('docs/integrate/fairness.md', () => {
  const [, seedHex = '', commitment] =
    /The seed is `([0-9a-f]{64})`, its commitment `([0-9a-f]{64})`/.exec(text) ?? []
  const seed = Buffer.from(seedHex, 'hex')

  it('has the commitment of its seed and the hash of its odds table', () => {
    expect(commitment).to.equal(commitmentOf(seed))
    const table = {
      entries: [
        { itemId: 'mug', weight: 3, stock: 5 },
        { itemId: 'cap', weight: 7, stock: null },
      ],
      fallbackItemId: 'nothing',
    }
    expect(text).to.include(`Its hash is \`${hashOddsTable(table)}\``)
  })

  it('has test vectors that all three implementations draw, with and without client seeds', async () => {
    const rows = readTable(text, '### Test vectors')
    expect(rows.filter(([, clientSeed]) => clientSeed === '–').length).to.be.greaterThan(4)
    expect(rows.filter(([, clientSeed]) => clientSeed !== '–').length).to.be.greaterThan(4)
    for (const [playerId = '', clientSeed = '', nonce = '', weights = '', number, position] of rows) {
      const input = { playerId, nonce: BigInt(nonce), clientSeed: clientSeed === '–' ? null : clientSeed }
      expect(createDrawSource(seed, input)().toString(16).padStart(16, '0')).to.equal(number)
      const table = weights.split(',').map((weight) => BigInt(weight.trim()))
      const entries = table.map((weight, index) => ({ weight, position: index + 1 }))
      expect(drawEntry(entries, createDrawSource(seed, input)).position).to.equal(Number(position))
      expect(verifierDraw(seed, input, table)).to.equal(Number(position))
      expect(await drawIndependently(seed, input, table)).to.equal(Number(position))
    }
  })

  it('has an example of a row that the verifier accepts, with the fields of a real one', async () => {
    const [example = ''] = readBlocks(text, 'json')
    const { signing_key: key, digests } = JSON.parse(example) as { signing_key: string; digests: object }
    expect(await runVerify(example, ['--key', key])).to.deep.equal({
      exitCode: 0,
      stdout: '1 verified, 0 not verified\n',
      stderr: '',
    })
    const service = await startService()
    try {
      const casino = await service.factory.casino()
      const itemId = await service.factory.item(casino.id)
      const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
      await service.factory.grant(casino.id, 'p', boxId)
      await service.client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: boxId })
      const [page] = await exportPages(service.client, casino.apiKey, 'player_id=p')
      expect(Object.keys(page?.data[0]?.['digests'] ?? {})).to.deep.equal(Object.keys(digests))
    } finally {
      await service.stop()
    }
  })

  it('lists the verifier’s options', async () => {
    const { stdout } = await runVerify('', ['--help'])
    for (const [option] of stdout.matchAll(/--[a-z]+/g)) expect(text).to.include(option)
  })
})
