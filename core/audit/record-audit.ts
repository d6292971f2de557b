import { createBatcher } from '../batch/batcher.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, text, timestamptz } from '../platform/sql.ts'
import type { AuditRecord, RecordAudit } from './audit.ts'

/**
 * Writes entries down, those that come at the same time in one statement. They are chained afterwards (`chainAudit`), so
 * nobody waits for anybody. A casino that does not exist has no trail: what was asked about it belongs to the service's.
 */
export function createRecordAudit({ database }: { database: Database }): RecordAudit {
  const batcher = createBatcher<AuditRecord, undefined>({
    process: async (records) => {
      await storeRecords(database, records)
      return records.map(() => ({ value: undefined }))
    },
    exclusiveKeyOf: (record) => record.id,
  })
  return (record) => batcher.run(record)
}

async function storeRecords(database: Database, records: readonly AuditRecord[]): Promise<void> {
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
        })}
        LEFT JOIN casino ON casino.id = input.casino_id
    ),
    chain_begun AS (
      INSERT INTO audit_chain (casino_id) SELECT DISTINCT trail FROM input ORDER BY trail ON CONFLICT DO NOTHING
    )
    INSERT INTO audit_entry (id, casino_id, at, actor, address, action, params, reason, request_id, outcome)
    SELECT id, trail, at, actor, address, action, params, reason, request_id, outcome FROM input`
}
