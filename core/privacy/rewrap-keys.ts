import { EnvelopeError } from '../crypto/envelope.ts'
import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import { boundTo as boundToSetting } from '../casino/settings.ts'
import { boundTo as boundToAnswer } from '../idempotency/claim-key.ts'
import { boundToOperator } from '../operator/second-factor.ts'
import { batchInput, bytea, joined, sql, text } from '../platform/sql.ts'
import { boundTo as boundToEndpoint } from '../webhook/endpoint-secrets.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'

/** A wrapped data key in the database. */
interface WrappedRow {
  /** The primary key, and everything else that the envelope is bound to. */
  keys: string[]
  wrappedKey: Uint8Array
  keyId: string
}

type WrappedKey = Omit<Envelope, 'ciphertext'>
type RenewedRow = WrappedRow & { renewed: WrappedKey }

/** A table that holds envelopes. */
interface Holder {
  name: string
  table: Prisma.Sql
  /** One to three; together they identify one row. */
  keyColumns: readonly Prisma.Sql[]
  wrappedKey: Prisma.Sql
  keyId: Prisma.Sql
  boundTo: (keys: readonly string[]) => string
}

const onlyId = ([id]: readonly string[]): string => id ?? ''

/** All encrypted data, and the binding of each envelope. */
const holders: readonly Holder[] = [
  {
    name: 'delivery details',
    table: sql`prize_order`,
    keyColumns: [sql`id`],
    wrappedKey: sql`delivery_key`,
    keyId: sql`delivery_key_id`,
    boundTo: onlyId,
  },
  {
    name: 'notes',
    table: sql`prize_note`,
    keyColumns: [sql`id`],
    wrappedKey: sql`text_key`,
    keyId: sql`text_key_id`,
    boundTo: onlyId,
  },
  {
    name: 'server seeds',
    table: sql`server_seed`,
    keyColumns: [sql`id`],
    wrappedKey: sql`sealed_key`,
    keyId: sql`sealed_key_id`,
    boundTo: onlyId,
  },
  {
    name: 'secrets of settings',
    table: sql`casino_setting`,
    keyColumns: [sql`casino_id`, sql`name`],
    wrappedKey: sql`sealed_key`,
    keyId: sql`sealed_key_id`,
    boundTo: ([casinoId = '', name = '']) => boundToSetting(casinoId, name),
  },
  {
    // After the one above: replaced data moves here.
    name: 'previous secrets of settings',
    table: sql`casino_setting`,
    keyColumns: [sql`casino_id`, sql`name`],
    wrappedKey: sql`previous_sealed_key`,
    keyId: sql`previous_sealed_key_id`,
    boundTo: ([casinoId = '', name = '']) => boundToSetting(casinoId, name),
  },
  {
    name: 'webhook secrets',
    table: sql`webhook_secret`,
    keyColumns: [sql`id`, sql`casino_id`, sql`endpoint_id`],
    wrappedKey: sql`sealed_key`,
    keyId: sql`sealed_key_id`,
    boundTo: ([id = '', casinoId = '', endpointId = '']) => boundToEndpoint({ id, casinoId, endpointId }),
  },
  {
    name: 'second factors of operators',
    table: sql`operator`,
    keyColumns: [sql`id`],
    wrappedKey: sql`sealed_key`,
    keyId: sql`sealed_key_id`,
    boundTo: ([id = '']) => boundToOperator(id),
  },
  {
    name: 'answers under idempotency keys',
    table: sql`idempotency_record`,
    keyColumns: [sql`casino_id`, sql`key`],
    wrappedKey: sql`sealed_key`,
    keyId: sql`sealed_key_id`,
    boundTo: ([casinoId = '', key = '']) => boundToAnswer({ casinoId, key }),
  },
]

const rewrappedAtOnceMax = 500

export interface RewrapProgress {
  kind: string
  done: number
  total: number
}

/**
 * Rewraps every data key that an older key-encryption key opens with the current one, so that the older can be retired.
 * The encrypted data is unchanged. It can be interrupted at any time and restarted, and the service may run meanwhile.
 * Keys that cannot be opened are left and reported, and do not stop the others.
 */
export async function rewrapKeys(
  { database, cipher }: { database: Database; cipher: EnvelopeCipher },
  { onProgress, onUnopened }: RewrapListeners,
): Promise<{ rewrapped: number; unopened: number }> {
  let rewrapped = 0
  let unopened = 0
  for (const holder of holders) {
    const total = await countOld(database, holder, cipher.currentKeyId)
    let done = 0
    onProgress({ kind: holder.name, done, total })
    let after: readonly string[] = holder.keyColumns.map(() => '')
    for (;;) {
      const rows = await loadOld(database, holder, cipher.currentKeyId, after)
      after = rows.at(-1)?.keys ?? after
      if (rows.length === 0) break
      const renewed = rows.flatMap((row): RenewedRow[] => {
        const result = rewrap(cipher, holder, row)
        if ('renewed' in result) return [{ ...row, renewed: result.renewed }]
        onUnopened({ kind: holder.name, id: row.keys.join(' '), problem: result.problem })
        return []
      })
      await storeRewrapped(database, holder, renewed)
      rewrapped += renewed.length
      unopened += rows.length - renewed.length
      done += rows.length
      onProgress({ kind: holder.name, done, total: Math.max(total, done) })
    }
  }
  return { rewrapped, unopened }
}

interface RewrapListeners {
  onProgress: (progress: RewrapProgress) => void
  /** Called for each row whose data key no configured key opens. */
  onUnopened: (row: { kind: string; id: string; problem: string }) => void
}

function rewrap(
  cipher: EnvelopeCipher,
  holder: Holder,
  row: WrappedRow,
): { renewed: WrappedKey } | { problem: string } {
  try {
    return { renewed: cipher.rewrap(row, holder.boundTo(row.keys)) }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    return { problem: error.message }
  }
}

/** The number of data keys that each key-encryption key opens, by kind: it shows where a key is still needed. */
export async function countKeyUse(
  database: Database,
): Promise<{ kind: string; keyId: string; count: number }[]> {
  const uses = []
  for (const { name, table, keyId, wrappedKey } of holders) {
    const rows = await database.$queryRaw<{ keyId: string; count: number }[]>`
      SELECT ${keyId} AS "keyId", count(*)::int AS count FROM ${table}
       WHERE ${wrappedKey} IS NOT NULL GROUP BY ${keyId} ORDER BY ${keyId}`
    uses.push(...rows.map((row) => ({ kind: name, ...row })))
  }
  return uses
}

async function countOld(database: Database, holder: Holder, currentKeyId: string): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${holder.table}
     WHERE ${holder.wrappedKey} IS NOT NULL AND ${holder.keyId} <> ${currentKeyId}::text`
  return row?.count ?? 0
}

function loadOld(
  database: Database,
  holder: Holder,
  currentKeyId: string,
  after: readonly string[],
): Promise<WrappedRow[]> {
  const keys = joined(holder.keyColumns, ', ')
  const last = joined(
    after.map((key) => sql`${key}::text`),
    ', ',
  )
  return database.$queryRaw<WrappedRow[]>`
    SELECT ARRAY[${keys}]::text[] AS keys, ${holder.wrappedKey} AS "wrappedKey",
           ${holder.keyId} AS "keyId"
      FROM ${holder.table}
     WHERE ${holder.wrappedKey} IS NOT NULL AND ${holder.keyId} <> ${currentKeyId}::text
       AND (${keys}) > (${last})
     ORDER BY ${keys}
     LIMIT ${rewrappedAtOnceMax}::int`
}

/** Only if the wrapped key is unchanged: it may have been replaced or erased meanwhile. */
async function storeRewrapped(
  database: Database,
  holder: Holder,
  rows: readonly RenewedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const isSameRow = joined(
    holder.keyColumns.map(
      (column, place) => sql`held.${column} = input.${Prisma.raw(`key_${String(place)}`)}`,
    ),
    ' AND ',
  )
  await database.$executeRaw`
    UPDATE ${holder.table} AS held SET ${holder.wrappedKey} = input.new_key, ${holder.keyId} = input.new_key_id
      FROM ${batchInput(rows, {
        key_0: text((row) => row.keys[0] ?? null),
        key_1: text((row) => row.keys[1] ?? null),
        key_2: text((row) => row.keys[2] ?? null),
        old_key: bytea((row) => row.wrappedKey),
        new_key: bytea((row) => row.renewed.wrappedKey),
        new_key_id: text((row) => row.renewed.keyId),
      })}
     WHERE ${isSameRow} AND held.${holder.wrappedKey} = input.old_key`
}
