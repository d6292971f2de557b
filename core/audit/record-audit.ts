import { createBatcher } from '../batch/batcher.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bytea, sql, text, timestamptz } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { createEntrySigner } from './audit.ts'
import type { AuditRecord, EntrySigner, RecordAudit } from './audit.ts'

/**
 * Writes entries down, those that come at the same time in one statement. They are chained afterwards (`chainAudit`), so
 * nobody waits for anybody. A casino that does not exist has no trail: what was asked about it belongs to the service's.
 */
export function createRecordAudit({
  database,
  hashSecret,
}: {
  database: Database
  hashSecret: string
}): RecordAudit {
  const signer = createEntrySigner(hashSecret)
  const batcher = createBatcher<AuditRecord, undefined>({
    process: async (records) => {
      await storeRecords(database, signer, records)
      return records.map(() => ({ value: undefined }))
    },
    exclusiveKeyOf: (record) => record.id,
  })
  return (record) => batcher.run(record)
}

/** Each is signed twice: for the trail of its casino, and for the service's, should there be no such casino. */
async function storeRecords(
  database: Database,
  signer: EntrySigner,
  records: readonly AuditRecord[],
): Promise<void> {
  await database.$executeRaw`
    WITH input AS (
      SELECT input.*, COALESCE(casino.id, '') AS trail
        FROM ${batchInput(records, {
          id: text((r) => r.id),
          casino_id: text((r) => r.casinoId),
          at: timestamptz((r) => r.at),
          actor: text((r) => r.actor),
          address: text((r) => r.address),
          action: text((r) => r.action),
          params: text((r) => r.params),
          reason: text((r) => r.reason),
          request_id: text((r) => r.requestId),
          outcome: text((r) => r.outcome),
          signature: bytea((r) => signer.sign(r)),
          signature_of_service: bytea((r) => signer.sign({ ...r, casinoId: '' })),
        })}
        LEFT JOIN casino ON casino.id = input.casino_id
    ),
    chain_begun AS (
      INSERT INTO audit_chain (casino_id) SELECT DISTINCT trail FROM input ORDER BY trail ON CONFLICT DO NOTHING
    )
    ${insertInto('audit_entry', {
      from: sql`input`,
      columns: {
        casino_id: sql`trail`,
        ...sameColumns('id', 'at', 'actor', 'address', 'action', 'params', 'reason', 'request_id', 'outcome'),
        signature: sql`CASE trail WHEN casino_id THEN signature ELSE signature_of_service END`,
      },
    })}`
}
