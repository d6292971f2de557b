import { auditEntry, auditEntryDetails, auditQuery } from '../../admin/audit.ts'
import type { Description } from '../description.ts'
import { pageOf, success } from './bodies.ts'

/** The trail of a casino, and that of the service itself. */
export const auditTrail = {
  tag: 'Casinos',
  query: auditQuery,
  answers: { 200: { description: 'The entries.', schema: pageOf(auditEntry.type) } },
  errors: [],
} as const satisfies Partial<Description>

/** An entry of either. */
export const auditEntryAnswer = {
  tag: 'Casinos',
  answers: { 200: { description: 'The entry.', schema: success(auditEntryDetails.type) } },
  errors: ['audit_entry_unknown'],
} as const satisfies Partial<Description>
