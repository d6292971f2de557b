import { expect } from 'chai'
import { createRenderBoxes } from '../../../api/endpoints/rendered-boxes.ts'
import { listOpenBoxes } from '../../../core/box/read-catalogue.ts'
import type { SqlValue } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { bytesOf, watchDatabase } from '../../support/watched-database.ts'
import { at, createOperator, listAt } from '../admin/operator.ts'

describe('the boxes that a process keeps rendered', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const get = (path: string, apiKey: string) =>
    service.client.send('GET', path, { headers: { Authorization: `Bearer ${apiKey}` } })
  /** How many queries something takes, and how much the database sends for them. */
  async function watchQueries(work: () => Promise<void>): Promise<{ count: number; bytes: number }> {
    const watched = { count: 0, bytes: 0 }
    const { database } = service.deps.reads
    const $queryRaw = database.$queryRaw.bind(database)
    Object.assign(database, {
      $queryRaw: async (sql: TemplateStringsArray, ...values: SqlValue[]) => {
        const rows = await $queryRaw(sql, ...values)
        watched.count += 1
        watched.bytes += bytesOf(rows)
        return rows
      },
    })
    try {
      await work()
    } finally {
      Reflect.deleteProperty(database, '$queryRaw')
    }
    return watched
  }

  /** Tells how often `createRenderBoxes` has asked the database. */
  function createWatched(bytesMax?: number) {
    let reads = 0
    const database = watchDatabase(service.database, { before: () => (reads += 1) })
    const takeReads = () => {
      const taken = reads
      reads = 0
      return taken
    }
    return { renderBoxes: createRenderBoxes(database, bytesMax), takeReads }
  }
  const list = async (casinoId: string) => {
    const page = { limit: 200, afterId: undefined }
    return (await listOpenBoxes(service.database, casinoId, new Date(), page)).rows
  }
  const itemNameIn = (json: string | undefined) =>
    (JSON.parse(json ?? '') as { prizes: { name: string }[] }).prizes[0]?.name
  const rename = (casinoId: string, name: string) =>
    service.database.item.updateMany({ where: { casinoId }, data: { name } })

  it('are read with one statement for all that are missing', async () => {
    const { id } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const { renderBoxes, takeReads } = createWatched()
    const addBoxes = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => service.factory.box(id, { entries: [{ itemId, weight: 1 }] })),
      )
    for (const [more, expected] of [
      [0, 0],
      [7, 1],
      [0, 0],
      [3, 1],
    ] as const) {
      await addBoxes(more)
      const boxes = await list(id)
      const rendered = await renderBoxes(boxes)
      expect(takeReads()).to.equal(expected)
      const shown = rendered.map(({ toJson }) => (JSON.parse(toJson([], undefined)) as { id: string }).id)
      expect(shown).to.deep.equal(boxes.map(({ boxId }) => boxId))
    }
  })

  it('stay within the memory limit', async () => {
    const { id } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const entries = Array.from({ length: 100 }, () => ({ itemId, weight: 1 }))
    for (const boxId of ['a', 'b']) await service.factory.box(id, { boxId, entries })
    const [a, b] = await list(id)
    if (a === undefined || b === undefined) throw new Error('there are no boxes')
    const { renderBoxes } = createWatched()
    const [{ bytes } = { bytes: 0 }] = await renderBoxes([a])
    expect(bytes).to.be.greaterThan(20_000)
    for (const [bytesMax, expected] of [
      [bytes * 2, [1, 1, 0, 0]],
      [bytes * 2 - 1, [1, 1, 1, 1]],
      [bytes - 1, [1, 1, 1, 1]],
    ] as const) {
      const watched = createWatched(bytesMax)
      const reads = []
      for (const box of [a, b, a, b]) {
        await watched.renderBoxes([box])
        reads.push(watched.takeReads())
      }
      expect(reads).to.deep.equal(expected)
    }
  })

  it('are kept with the version that was read when an item changes during the read', async () => {
    const { id } = await service.factory.casino()
    const itemId = await service.factory.item(id, { name: 'Old' })
    await service.factory.box(id, { entries: [{ itemId, weight: 1 }], fallbackItemId: itemId })
    const original = await service.database.item.findFirstOrThrow({ where: { casinoId: id } })
    const { renderBoxes, takeReads } = createWatched()
    const looked = await list(id)
    await rename(id, 'New')
    const show = async (boxes: Awaited<ReturnType<typeof list>>) => {
      const [box] = await renderBoxes(boxes)
      return [itemNameIn(box?.toJson([], undefined)), takeReads()]
    }
    expect(await show(looked)).to.deep.equal(['New', 1])
    expect(await show(await list(id))).to.deep.equal(['New', 0])
    await service.database.item.updateMany({ where: { casinoId: id }, data: original }) // as it was looked up
    expect(await show(await list(id))).to.deep.equal(['Old', 1])
  })

  it('let the catalogue be answered with a few queries, however many there are', async () => {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    for (let count = 0; count < 12; count++) {
      await service.factory.box(id, { entries: [{ itemId, weight: 1, stock: 3 }] })
    }
    const read = async () => {
      expect(listAt(await get('/boxes?player_id=p', apiKey))).to.have.length(12)
    }
    const first = await watchQueries(read)
    const second = await watchQueries(read)
    expect([first.count, second.count]).to.deep.equal([3, 2])
  })

  it('save the catalogue from reading entries until an item changes', async () => {
    const { id, apiKey } = await service.factory.casino()
    const [prize, instead] = [await service.factory.item(id), await service.factory.item(id)]
    const entries = Array.from({ length: 500 }, () => ({ itemId: prize, weight: 1, stock: 1 }))
    const boxId = await service.factory.box(id, { entries, fallbackItemId: instead })
    const [list, single] = ['/boxes', `/boxes/${boxId}`]
    /** Whether the database had to send the entries for it. */
    const readsEntries = async (path: string, expected: object) => {
      let reply: Reply | undefined
      const { bytes } = await watchQueries(async () => {
        reply = await get(path, apiKey)
      })
      const box = path === list ? 'data.0' : 'data'
      for (const [field, value] of Object.entries(expected)) {
        expect(reply === undefined ? undefined : at(reply, `${box}.${field}`), field).to.deep.equal(value)
      }
      return bytes > 10_000
    }
    const describe = (itemId: string, description: string) =>
      service.database.item.updateMany({ where: { casinoId: id, id: itemId }, data: { description } })

    expect(await readsEntries(list, { 'prizes.499.position': 500 })).to.equal(true)
    for (const path of [list, single]) {
      expect(await readsEntries(path, { 'prizes.499.available': true, version: 1 })).to.equal(false)
    }
    await service.database.boxStock.updateMany({
      where: { casinoId: id, boxId, position: { in: [1, 500] } },
      data: { remaining: 0 },
    })
    for (const path of [list, single]) {
      const expected = {
        'prizes.0.available': false,
        'prizes.1.available': true,
        'prizes.499.available': false,
        'fallback.odds.denominator': 250,
      }
      expect(await readsEntries(path, expected)).to.equal(false)
    }
    await describe(prize, 'New')
    expect(await readsEntries(single, { 'prizes.1.description': 'New' })).to.equal(true)
    expect(await readsEntries(list, { 'prizes.1.description': 'New' })).to.equal(false)
    await describe(instead, 'Newer')
    expect(await readsEntries(list, { 'fallback.description': 'Newer' })).to.equal(true)
    const published = await createOperator(service.client, apiKey).put(`/${id}/boxes/${boxId}`, {
      name: 'Next',
      access: 'granted',
      entries: entries.map(() => ({ item_id: prize, weight: 2 })),
      fallback_item_id: instead,
    })
    expect(published.status).to.equal(200)
    expect(await readsEntries(list, { name: 'Next', version: 2, 'prizes.0.available': true })).to.equal(true)
  })
})
