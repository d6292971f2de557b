import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { findStockDifferences } from '../../../core/box/check-stock.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client, Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { exportPages, readSigningKey } from '../../support/evidence.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { runs } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createStockCasino } from '../../support/stocks.ts'
import type { StockCasino } from '../../support/stocks.ts'
import { runVerify, toLines } from '../../support/verify.ts'
import { createSeedTurns } from '../../../worker/loops.ts'

/** For a longer run by hand: `RACE_ROUNDS=400 npx mocha test/flows/box/stock-races.test.ts`; a failure prints its seed. */
const rounds = Number(process.env['RACE_ROUNDS'] ?? runs(4, 2))
const seed = Number(process.env['RACE_SEED'] ?? randomInt(2 ** 31))

/** One round of a race: a box with little stock, and the players who open it at the same time. */
interface Round {
  stocks: [number, number | undefined]
  hasFallback: boolean
  racing: Racer[]
  /** Players who open once. */
  others: { api: number; isKeyed: boolean }[]
}

/**
 * A player who opens the box while something of theirs goes through the other process: openings of another box, so that
 * this one is decided again, with another outcome; the same opening; or somebody else's request under the same key.
 */
interface Racer {
  api: number
  isKeyed: boolean
  meanwhile: 'other_box' | 'twin' | 'other_player'
}

const api = fc.integer({ min: 0, max: 1 })
const few = fc.integer({ min: 1, max: 3 })
const racer: fc.Arbitrary<Racer> = fc.record({
  api,
  isKeyed: fc.boolean(),
  meanwhile: fc.constantFrom('other_box', 'other_box', 'twin', 'other_player'),
})
const anyRound: fc.Arbitrary<Round> = fc.record({
  stocks: fc.tuple(few, fc.option(few, { nil: undefined })),
  hasFallback: fc.boolean(),
  racing: fc.array(racer, { minLength: 2, maxLength: 8 }),
  others: fc.array(fc.record({ api, isKeyed: fc.boolean() }), { minLength: 2, maxLength: 8 }),
})
/** Openings that keep both processes busy, so that what comes after them is decided as a batch. */
const busyWith = 6

describe('races for the last of a stock, through two API processes', function () {
  this.timeout(60_000 + rounds * 3_000)
  let later = 0
  /** Beside the processes: rotates, reveals and shows, half a minute later. */
  let service: TestService
  const apis: ServiceProcess[] = []
  let clients: Client[]
  let stocks: StockCasino

  const atEnd = atEndOfSuite()

  before(async () => {
    service = await startService({ clock: { now: () => new Date(Date.now() + later) } })
    atEnd(() => service.stop())
    atEnd(() => Promise.all(apis.map((process) => process.terminate())))
    for (let count = 0; count < 2; count++) apis.push(await startProcess('api', service.env))
    clients = apis.map(({ url }) => createClient(url))
    stocks = await createStockCasino(service.database, service.factory)
    const boxId = await stocks.publish([undefined, undefined])
    await stocks.openFor(clients, boxId, 2) // a process's first request takes its time
  })

  let requests = 0
  const open = (process: number, playerId: string, boxId: string, key?: string): Promise<Reply> => {
    const client = clients[process % clients.length]
    if (client === undefined) throw new Error('no API runs')
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    return client.post('/box/open', stocks.apiKey, { player_id: playerId, box_id: boxId }, headers)
  }

  async function race(round: Round): Promise<{ boxId: string; replies: Reply[] }> {
    const boxId = await stocks.publish(round.stocks, { hasFallback: round.hasFallback })
    const otherBoxId = await stocks.publish([undefined, undefined])
    const sent: Promise<Reply>[] = []
    const beside: Promise<Reply>[] = []
    for (let index = 0; index < 2 * busyWith; index++) {
      beside.push(open(index, `busy-${++requests}`, otherBoxId))
    }
    for (const { api: process, isKeyed, meanwhile } of round.racing) {
      const [playerId, key] = [`racing-${++requests}`, `key-${requests}`]
      const hasKey = isKeyed || meanwhile === 'other_player'
      sent.push(open(process, playerId, boxId, hasKey ? key : undefined))
      if (meanwhile === 'twin') sent.push(open(process + 1, playerId, boxId, hasKey ? key : undefined))
      if (meanwhile === 'other_player') beside.push(open(process + 1, `${playerId}'s`, otherBoxId, key))
      if (meanwhile === 'other_box') {
        for (let count = 0; count < 3; count++) beside.push(open(process + 1, playerId, otherBoxId))
      }
    }
    for (const { api: process, isKeyed } of round.others) {
      sent.push(open(process, `player-${++requests}`, boxId, isKeyed ? `key-${requests}` : undefined))
    }
    for (const reply of await Promise.all(beside)) {
      if (reply.status !== 200) expect(codeOf(reply)).to.equal('idempotency_key_reused')
    }
    return { boxId, replies: await Promise.all(sent) }
  }

  const codeOf = ({ headers, status }: Reply) => headers.get('x-error-code') ?? String(status)

  async function check(
    { stocks: published }: Round,
    boxId: string,
    replies: readonly Reply[],
  ): Promise<void> {
    const openings = await service.database.opening.findMany({ where: { boxId } })
    const rows = await service.database.boxStock.findMany({ where: { boxId } })
    const left = new Map(rows.map(({ position, remaining }) => [position, remaining]))
    for (const [index, stock] of published.entries()) {
      const drawn = openings.filter(({ position }) => position === index + 1)
      const won = drawn.filter(({ substituted }) => !substituted).length
      if (stock === undefined) expect(won).to.equal(drawn.length)
      else {
        expect(left.get(index + 1), 'left is what was not won').to.equal(stock - won)
        if (won < drawn.length) expect(won, 'the fallback is given for what is used up').to.equal(stock)
      }
    }
    const codes = replies.filter(({ status }) => status !== 200).map(codeOf)
    expect(codes.filter((code) => !['box_sold_out', 'idempotency_key_reused'].includes(code))).to.deep.equal(
      [],
    )
    if (codes.includes('box_sold_out')) {
      expect([...left.values()], 'what is sold out is used up').to.include(0)
    }
    const answers = replies
      .filter(({ status }) => status === 200)
      .map(({ json }) => (json as { opening: { id: string; substituted_for?: string } }).opening)
    expect(
      new Map(answers.map(({ id, substituted_for }) => [id, substituted_for !== undefined])),
      'what was told is what is stored',
    ).to.deep.equal(new Map(openings.map(({ id, substituted }) => [id, substituted])))
  }

  it(`refuse no player who could have had the last unit, in ${rounds} rounds [box-stock-denied]`, async () => {
    await fc.assert(
      fc.asyncProperty(anyRound, async (round) => {
        const { boxId, replies } = await race(round)
        await check(round, boxId, replies)
      }),
      { numRuns: rounds, seed, endOnFailure: true },
    )
    expect(await findStockDifferences(service.database, stocks.id)).to.deep.equal([])

    await service.client.send('POST', `/admin/casinos/${stocks.id}/fairness/rotate`, {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
    later = 31_000
    await createSeedTurns(service.startWorker().deps).reveal()
    const pages = await exportPages(service.client, stocks.apiKey, 'limit=500')
    const key = await readSigningKey(service.client)
    const count = await service.database.opening.count({ where: { casinoId: stocks.id } })
    expect(await runVerify(toLines(pages), ['--complete', '--key', key])).to.deep.equal({
      exitCode: 0,
      stdout: `${count} verified, 0 not verified\n`,
      stderr: '',
    })
  })
})
