import { listInput } from '../../admin/list-query.ts'
import type { Description } from '../description.ts'
import { count, matching, named, nullable, object, string, time } from '../json-schema.ts'
import { pageOf } from './bodies.ts'

const auditEntry = named(
  'AuditEntry',
  object({
    id: matching(/^aud_[0-9a-f]{32}$/, 'aud_01b977d7aa0076a1b2c3d4e5f6071808'),
    at: time,
    actor: string,
    address: nullable(string),
    action: string,
    params: { type: 'object', additionalProperties: string },
    reason: nullable(string),
    request_id: string,
    outcome: string,
    sequence: nullable(count),
    hash: nullable(matching(/^[0-9a-f]{64}$/)),
  }),
)

/** The trail of a casino, and that of the service itself. */
export const auditTrail = {
  tag: 'Casinos',
  query: listInput,
  answers: { 200: { description: 'The entries.', schema: pageOf(auditEntry) } },
  errors: [],
} as const satisfies Partial<Description>
