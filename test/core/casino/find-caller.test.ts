import { expect } from 'chai'
import { parseApiKey } from '../../../core/casino/api-key.ts'
import { createFindCaller } from '../../../core/casino/find-caller.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { createFactory, withOtherSecret } from '../../support/factory.ts'

const hashSecret = 'h'.repeat(32)

describe('finding the caller of a key', () => {
  let database: Database
  let close: () => Promise<void>

  const atEnd = atEndOfSuite()
  before(async () => {
    const log = createLogger('test', 'silent')
    ;({ database, close } = openDatabase({ url: await createTestDatabase(), poolMax: 2, log }))
    atEnd(close)
  })

  /** Looks a key of a casino with these limits up twice at one moment, and again when nothing of it is cached any more. */
  const findWith = async (value: object) => {
    const lines: [object, string][] = []
    let now = new Date('2027-05-06T12:00:00Z')
    const log = { error: (fields: object, message: string) => void lines.push([fields, message]) }
    const findCaller = createFindCaller({ database, clock: { now: () => now }, hashSecret, log })
    const { id: casinoId, apiKey } = await createFactory(database, hashSecret).casino()
    await database.casinoSetting.create({ data: { casinoId, name: 'limits', value, updatedAt: now } })
    const callers = [await findCaller(apiKey), await findCaller(apiKey)]
    now = new Date(now.getTime() + 60_000)
    callers.push(await findCaller(apiKey))
    return { casinoId, limits: callers.map((caller) => caller?.limits), lines }
  }

  it('finds no caller for a key that has a valid id and a wrong secret, even when the valid key is cached', async () => {
    const log = { error: () => undefined }
    const findCaller = createFindCaller({ database, clock: { now: () => new Date() }, hashSecret, log })
    const factory = createFactory(database, hashSecret)
    const { id, apiKey } = await factory.casino()
    const sandbox = await database.casino.create({ data: { id: `${id}:test`, name: id, sandboxOf: id } })
    const testKey = await factory.apiKey(sandbox.id, ['play'], { mode: 'test' })
    for (const [key, casinoId] of [
      [apiKey, id],
      [testKey, sandbox.id],
    ] as const) {
      const wrong = withOtherSecret(key)
      expect(parseApiKey(wrong), 'or it would be refused without a look-up').to.include({
        id: parseApiKey(key)?.id,
      })
      expect(await findCaller(wrong), 'not remembered').to.equal(undefined)
      expect(await findCaller(key)).to.include({ casinoId })
      expect(await findCaller(wrong), 'remembered').to.equal(undefined)
      expect(await findCaller(key), 'remembered with the wrong one').to.include({ casinoId })
      const [cutOff, tooLong] = [key.slice(0, -1), `${key}0`]
      for (const odd of [
        cutOff,
        tooLong,
        key.replace(/^rk_(live|test)/, 'rk_luck'),
        `x${key.slice(1)}`,
        '',
      ]) {
        expect(await findCaller(odd), odd).to.equal(undefined)
      }
    }
  })

  it('refuses a remembered key as soon as it expires, and a revoked one when it is looked up again', async () => {
    let now = new Date('2027-05-06T12:00:00Z')
    const log = { error: () => undefined }
    const findCaller = createFindCaller({ database, clock: { now: () => now }, hashSecret, log })
    const { id: casinoId, apiKey } = await createFactory(database, hashSecret).casino()
    await database.apiKey.updateMany({
      where: { casinoId },
      data: { expiresAt: new Date(now.getTime() + 1_000) },
    })
    for (const ms of [0, 500, 499]) {
      now = new Date(now.getTime() + ms)
      expect(await findCaller(apiKey), String(ms)).to.include({ casinoId })
    }
    now = new Date(now.getTime() + 1)
    expect(await findCaller(apiKey)).to.equal(undefined)

    await database.apiKey.updateMany({ where: { casinoId }, data: { expiresAt: null } })
    now = new Date(now.getTime() + 2_000)
    expect(await findCaller(apiKey)).to.include({ casinoId })
    await database.apiKey.updateMany({ where: { casinoId }, data: { revokedAt: now } })
    now = new Date(now.getTime() + 1_999)
    expect(await findCaller(apiKey), 'remembered').to.include({ casinoId })
    now = new Date(now.getTime() + 1)
    expect(await findCaller(apiKey), 'looked up again').to.equal(undefined)
  })

  it('does not cache a key for longer when the clock is set back', async () => {
    let now = new Date('2027-05-06T12:00:00Z')
    const log = { error: () => undefined }
    const findCaller = createFindCaller({ database, clock: { now: () => now }, hashSecret, log })
    const { id: casinoId, apiKey } = await createFactory(database, hashSecret).casino()
    expect(await findCaller(apiKey)).to.include({ casinoId })
    await database.apiKey.updateMany({ where: { casinoId }, data: { revokedAt: now } })
    now = new Date(now.getTime() - 3_600_000)
    expect(await findCaller(apiKey)).to.equal(undefined)
  })

  it('logs once for each look-up that limits cannot be read, without their contents', async () => {
    const { casinoId, limits, lines } = await findWith({ box_open: 'secret words' })
    expect(limits).to.deep.equal([{}, {}, {}])
    const line = [{ casinoId, setting: 'limits' }, 'setting unreadable']
    expect(lines).to.deep.equal([line, line])
  })

  it('logs nothing about limits that can be read', async () => {
    const { limits, lines } = await findWith({ box_open: { per_second: 5, burst: 6 } })
    expect(limits[0]).to.deep.equal({ box_open: { perSecond: 5, burst: 6 } })
    expect(lines).to.deep.equal([])
  })
})
