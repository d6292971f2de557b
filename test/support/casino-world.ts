import { Prisma } from '../../core/platform/database.ts'
import { createSession } from '../../core/operator/sessions.ts'
import { listAt, textAt } from '../api/admin/operator.ts'
import type { Reply } from './client.ts'
import { adminApiKey } from './config.ts'
import { eventually } from './eventually.ts'
import { delivery } from './factory.ts'
import { makeOperator } from './ops.ts'
import type { TestService } from './service.ts'

/** The data of a casino: ids to put into paths and bodies, and a key with both scopes. */
export interface World {
  casinoId: string
  apiKey: string
  ids: Record<string, string>
  cashbackPrizeId: string
}

/** A casino and its sandbox, each with one of everything that a path can name. */
export async function createLiveAndTestWorld(service: TestService): Promise<[World, World]> {
  const casino = await service.factory.casino()
  const created = await service.client.post(`/admin/casinos/${casino.id}/api-keys`, casino.apiKey, {
    mode: 'test',
    scopes: ['play', 'manage'],
  })
  return [
    await createWorld(service, casino.id, casino.apiKey),
    await createWorld(service, `${casino.id}:test`, textAt(created, 'data.api_key')),
  ]
}

/** Makes one of everything for a casino that is there. */
export async function createWorld(service: TestService, casinoId: string, apiKey: string): Promise<World> {
  const { factory, client, database } = service
  const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await client.send(method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (reply.status !== 200 && reply.status !== 201) {
      throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    }
    return reply
  }
  const itemId = await factory.item(casinoId)
  const boxId = await factory.box(casinoId, {
    entries: [{ itemId, weight: 1, stock: 100 }],
    limit: { count: 50, period: 'lifetime' },
  })
  const { prizeId, playerId } = await factory.prize(casinoId)
  const cashback = await factory.prize(casinoId, { playerId })
  const spare = await factory.prize(casinoId, { playerId })
  const ordered = await factory.prize(casinoId, { playerId })
  const opened = await send('POST', '/box/open', { player_id: playerId, box_id: boxId })
  await send('POST', '/prize/order', { player_id: playerId, prize_id: ordered.prizeId, ...delivery })
  await send('POST', '/prize/cashback', { player_id: playerId, prize_id: spare.prizeId })
  const admin = `/admin/casinos/${casinoId}`
  await send('POST', `${admin}/grants`, { grants: [{ player_id: playerId, box_id: boxId, count: 1 }] })
  const key = await send('POST', `${admin}/api-keys`, {})
  const endpointId = `endpoint-of-${boxId}`
  await send('PUT', `${admin}/webhook-endpoints/${endpointId}`, { url: endpointUrl })
  const spared = await factory.prize(casinoId, { playerId })
  const made = await send('POST', `${admin}/acts`, { action: 'prize.void', object_ids: [spared.prizeId] })
  const events = await eventually('the feed shows an event', async () => {
    const reply = await send('GET', `${admin}/events`)
    return listAt(reply).length > 0 && reply
  })
  const operator = await makeOperator(service, { role: 'viewer', casinoIds: [casinoId] })
  const session = await createSession({ database, hashSecret: service.deps.config.hashSecret }, new Date(), {
    operatorId: operator.id,
    address: '127.0.0.1',
    userAgent: 'test',
  })
  // A read of the service as a whole, which its own trail records.
  await client.send('GET', '/admin/operators', { headers: { Authorization: `Bearer ${adminApiKey}` } })
  const ofService = { casinoId: '' }
  const where = { where: { casinoId } }
  return {
    casinoId,
    apiKey,
    cashbackPrizeId: cashback.prizeId,
    ids: {
      casino_id: casinoId,
      item_id: itemId,
      box_id: boxId,
      prize_id: prizeId,
      player_id: playerId,
      opening_id: textAt(opened, 'opening.id'),
      order_id: (await database.prizeOrder.findFirstOrThrow(where)).id,
      cashback_id: (await database.cashback.findFirstOrThrow(where)).id,
      key_id: textAt(key, 'data.key_id'),
      act_id: textAt(made, 'data.act_id'),
      endpoint_id: endpointId,
      event_id: textAt(events, 'data.0.id'),
      seed_id: (await database.serverSeed.findFirstOrThrow(where)).id,
      entry_id: (await database.auditEntry.findFirstOrThrow(where)).id,
      service_entry_id: (await database.auditEntry.findFirstOrThrow({ where: ofService })).id,
      name: 'reminders', // of a setting
      operator_id: operator.id,
      session_id: session.split('.')[0] ?? '',
    },
  }
}

/** No program listens there, and none can: the discard port of this machine. */
export const endpointUrl = 'https://127.0.0.1:9/'

/**
 * All rows of a casino, by table, but for when keys were used last and when work is due, which are written behind the
 * requests.
 */
export async function dumpCasino(
  { database }: Pick<TestService, 'database'>,
  casinoId: string,
  except: readonly string[] = [],
): Promise<Map<string, string>> {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attname = 'casino_id'`
  if (tables.length <= 12) throw new Error(`only ${tables.length} tables have casinos`)
  const names = tables.map(({ name }) => name).filter((name) => !except.includes(name))
  const selects = names.map(
    (name) => `
      SELECT '${name}' AS name, string_agg(kept::text, E'\\n' ORDER BY kept) AS rows
        FROM "${name}" AS t,
             LATERAL (SELECT to_jsonb(t) - 'last_used_at' ${name === 'outbox' ? "- 'due_at'" : ''} AS kept) AS dumped
       WHERE casino_id = wanted`,
  )
  const rows = await database.$queryRaw<{ name: string; rows: string | null }[]>`
    SELECT dump.* FROM (SELECT ${casinoId}::text AS wanted) AS casino,
           LATERAL (${Prisma.raw(selects.join(' UNION ALL '))}) AS dump`
  return new Map(rows.map(({ name, rows }) => [name, rows ?? '']))
}

/** The traces that callers leave in any case: each request and its caller, with any result. */
export const auditTables = ['audit_entry', 'audit_link', 'audit_chain']

/** The texts that only their owner can know: each of the dump that looks like an id or a name of the owner's. */
export async function secretsOf(service: TestService, world: World): Promise<string[]> {
  const text = [...(await dumpCasino(service, world.casinoId, auditTables)).values()].join()
  const values = [...text.matchAll(/"([^"\\]{10,})"/g)].map((match) => match[1] ?? '')
  return [...new Set(values)].filter((value) =>
    /[a-z_]+-\d+-|^[a-z]{3}_[0-9a-f]{32}|^[0-9a-f]{64}$/.test(value),
  )
}
