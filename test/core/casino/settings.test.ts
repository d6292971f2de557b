import { expect } from 'chai'
import { createPauseSetting } from '../../../core/casino/pause-setting.ts'
import { putSetting } from '../../../core/casino/change-settings.ts'
import { createFindSettings } from '../../../core/casino/settings.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { systemClock } from '../../../core/platform/clock.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestConfig } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory } from '../../support/factory.ts'
import type { Factory } from '../../support/factory.ts'

const cipher = createEnvelopeCipher([{ id: 'test', key: Buffer.alloc(32, 1) }])

describe('createFindSettings', () => {
  let open: OpenDatabase
  let database: Database
  let factory: Factory

  const atEnd = atEndOfSuite()
  before(async () => {
    const config = await createTestConfig('postgres')
    open = openDatabase({ url: config.databaseUrl, poolMax: 5, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
    database = open.database
    factory = createFactory(database, config.hashSecret)
  })

  /** Readers of a database that counts what it is asked, and fails while it is told to. */
  function createReader() {
    const asked = { queries: 0, isFailing: false }
    const counting = new Proxy(database, {
      get(target, name, receiver) {
        if (name === '$queryRaw') {
          asked.queries += 1
          if (asked.isFailing) return () => Promise.reject(new Error('the database is away'))
        }
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    return { asked, find: createFindSettings({ database: counting, cipher, clock: systemClock }) }
  }

  const put = (casinoId: string, warnDays: number) =>
    putSetting(
      { database, cipher, clock: systemClock },
      {
        casinoId,
        name: 'expiry',
        value: { warn_days: warnDays },
        secret: 'none',
        actor: 'test',
        requestId: 'test',
      },
    )
  const warnDaysOf = async (find: ReturnType<typeof createFindSettings>, casinoId: string) =>
    (await find([casinoId])).get(casinoId)?.get('expiry').value.warnDays

  it('parses stored settings once, so that timing does not reveal them', async () => {
    const casino = await factory.casino()
    await put(casino.id, 5)
    const { find } = createReader()
    for (const id of [casino.id, 'nobody']) {
      const [first, second] = [(await find([id])).get(id), (await find([id])).get(id)]
      for (const name of ['expiry', 'fulfilment'] as const) {
        expect(first?.get(name).value, `${name} of ${id}`).to.equal(second?.get(name).value)
      }
    }
  })

  it('reads many casinos in one query, including those without a row, and each only once', async () => {
    const casinos = await Promise.all(Array.from({ length: 20 }, () => factory.casino()))
    const ids = casinos.map(({ id }) => id)
    await Promise.all(ids.slice(0, 10).map((id, index) => put(id, index)))
    const { asked, find } = createReader()
    const found = await Promise.all([find(ids), find(ids.slice(5)), find([...ids, ...ids])])
    expect(asked.queries).to.equal(1)
    for (const settings of found) {
      for (const [id, ofCasino] of settings) {
        const index = ids.indexOf(id)
        expect(ofCasino.get('expiry').value.warnDays).to.equal(index < 10 ? index : 3)
      }
    }
    expect(found.map((settings) => settings.size)).to.deep.equal([20, 15, 20])
  })

  it('sees a change within two seconds, and queries no more often than that', async () => {
    const { id } = await factory.casino()
    const { asked, find } = createReader()
    expect(await warnDaysOf(find, id)).to.equal(3)
    await put(id, 9)
    await eventually('the change is seen', async () => (await warnDaysOf(find, id)) === 9, 4_000)
    expect(asked.queries).to.equal(2)
  })

  it('does not cache a failure', async () => {
    const { id } = await factory.casino()
    const { asked, find } = createReader()
    asked.isFailing = true
    const failures = await Promise.allSettled([find([id]), find([id])])
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    asked.isFailing = false
    expect(await warnDaysOf(find, id)).to.equal(3)
  })

  it('gives defaults to unknown casinos', async () => {
    const { find } = createReader()
    expect((await find(['nobody'])).get('nobody')?.get('wallet')).to.deep.equal({
      value: { kind: 'ledger' },
      secrets: [],
      isPaused: false,
      revision: 0,
    })
    expect(await find([])).to.have.property('size', 0)
  })

  it('cannot read a secret whose key is gone, while everything else is read', async () => {
    const { id } = await factory.casino()
    const value = { kind: 'http', url: 'https://wallet.example', timeout_ms: 500 } as const
    const wish = { casinoId: id, value, secret: 'new', actor: 'test', requestId: 'test' } as const
    const gone = createEnvelopeCipher([{ id: 'gone', key: Buffer.alloc(32, 2) }])
    await putSetting({ database, cipher: gone, clock: systemClock }, { ...wish, name: 'wallet' })
    const settings = (await createReader().find([id])).get(id)
    expect(() => settings?.get('wallet')).to.throw('The setting wallet cannot be read')
    expect(settings?.get('expiry').value).to.deep.equal({ warnDays: 3 })
  })

  it('notifies operators of a pause, with ids and codes only', async () => {
    const { id } = await factory.casino()
    await put(id, 1)
    const told: unknown[][] = []
    const log = { error: (...line: unknown[]) => told.push(line) }
    const pause = createPauseSetting({ database, clock: systemClock, log })
    expect(await pause(id, 'expiry', { revision: 1 }, 'answered_401')).to.equal(true)
    expect(await pause(id, 'expiry', { revision: 1 }, 'answered_401')).to.equal(false)
    expect(told).to.deep.equal([
      [{ casinoId: id, setting: 'expiry', reason: 'answered_401' }, 'setting paused'],
    ])
  })
})
