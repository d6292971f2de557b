import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findStockDifferences } from '../../../core/box/check-stock.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { isLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runVerify, toLines } from '../../support/verify.ts'
import { createSeedTurns } from '../../../worker/loops.ts'

interface Row extends Record<string, unknown> {
  position: number
  item_id: string
  substituted_for: string | null
  nonce: number
}

const stocks = isLongForm ? [40, 25] : [14, 8]
const players = isLongForm ? 100 : 35
const openingsPerPlayer = 4

describe('limited stock, opened through two API processes', function () {
  this.timeout(60_000)
  let later = 0
  /** Beside the processes: rotates, reveals and shows, half a minute later. */
  let service: TestService
  const apis: ServiceProcess[] = []
  let folder: string

  const atEnd = atEndOfSuite()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rewards-stock-'))
    atEnd(() => rm(folder, { recursive: true }))
    service = await startService({ clock: { now: () => new Date(Date.now() + later) } })
    atEnd(() => service.stop())
    for (let count = 0; count < 2; count++) {
      const api = await startProcess('api', service.env)
      apis.push(api)
      atEnd(() => api.terminate())
    }
  })

  it('is won exactly as often as it was published, then the fallback is, and every opening proves it [box-stock]', async () => {
    const { factory, database, client } = service
    const casino = await factory.casino()
    const items = [await factory.item(casino.id), await factory.item(casino.id)]
    const fallbackItemId = await factory.item(casino.id, { kind: 'none', cashback: null })
    const boxId = await factory.box(casino.id, {
      entries: items.map((itemId, index) => ({ itemId, weight: 3 - 2 * index, stock: stocks[index] ?? 0 })),
      fallbackItemId,
      limit: { count: openingsPerPlayer, period: 'lifetime' },
    })

    const clients = apis.map((api) => createClient(api.url))
    // The openings of a player go to both processes at the same time.
    const replies = await Promise.all(
      Array.from({ length: players * openingsPerPlayer }, (_, index) => {
        const api = clients[Math.floor(index / players) % clients.length] ?? client
        return api.post('/box/open', casino.apiKey, { player_id: `player ${index % players}`, box_id: boxId })
      }),
    )
    const answers = replies.map(({ status, json }) => {
      expect(status).to.equal(200)
      return (json as { opening: { id: string; substituted_for?: string } }).opening
    })

    await client.send('POST', `/admin/casinos/${casino.id}/fairness/rotate`, {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
    later = 31_000
    await createSeedTurns(service.startWorker().deps).reveal()
    const rows: Row[] = []
    for (const answer of answers) {
      const reply = await client.send('GET', `/fairness/openings/${answer.id}`, {
        headers: { Authorization: `Bearer ${casino.apiKey}` },
      })
      const row = (reply.json as { data: Row }).data
      expect(answer.substituted_for ?? null).to.equal(row.substituted_for)
      rows.push(row)
    }

    for (const [index, itemId] of items.entries()) {
      const drawn = rows.filter((row) => row.position === index + 1)
      const won = drawn.filter((row) => row.substituted_for === null)
      const stock = stocks[index] ?? 0
      expect(drawn.length, 'drawn often enough to run out').to.be.greaterThan(stock)
      expect(won).to.have.length(stock)
      expect(new Set(won.map((row) => row.item_id))).to.deep.equal(new Set([itemId]))
      const others = drawn.filter((row) => row.substituted_for !== null)
      expect(new Set(others.map((row) => row.item_id))).to.deep.equal(new Set([fallbackItemId]))
      expect(new Set(others.map((row) => row.substituted_for))).to.deep.equal(new Set([itemId]))
    }
    const left = await database.boxStock.findMany({ where: { boxId } })
    expect(left.map((stock) => stock.remaining)).to.deep.equal([0, 0])
    expect(await findStockDifferences(database, casino.id)).to.deep.equal([])
    const prizes = await database.prize.groupBy({
      by: ['itemId'],
      where: { casinoId: casino.id },
      _count: true,
    })
    expect(new Map(prizes.map((prize) => [prize.itemId, prize._count]))).to.deep.equal(
      new Map([...items, fallbackItemId].map((id) => [id, rows.filter((row) => row.item_id === id).length])),
    )

    const key = (await client.send('GET', '/fairness/key')).json as { data: { signing_key: string } }
    const file = join(folder, 'openings.ndjson')
    await writeFile(file, toLines(rows))
    const verdict = await runVerify('', ['--complete', '--key', key.data.signing_key, file])
    expect(verdict).to.deep.equal({
      exitCode: 0,
      stdout: `${rows.length} verified, 0 not verified\n`,
      stderr: '',
    })
  })
})
