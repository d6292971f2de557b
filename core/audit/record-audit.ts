import { createBatcher } from '../batch/batcher.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bytea, sql, text, timestamptz } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { createEntrySigner } from './audit.ts'
import type { AuditRecord, EntrySigner, RecordAudit } from './audit.ts'

/**
 * Stores entries, simultaneous ones in one statement. They are chained later (`chainAudit`), so that requests do not
 * wait for each other. Requests about an unknown casino go into the service's trail.
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

/** Each is signed twice: for its casino's trail, and for the service's, in case the casino does not exist. */
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
