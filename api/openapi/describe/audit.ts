import { auditEntry, auditQuery } from '../../admin/audit.ts'
import type { Description } from '../description.ts'
import { pageOf } from './bodies.ts'

/** The trail of a casino, and that of the service itself. */
export const auditTrail = {
  tag: 'Casinos',
  query: auditQuery,
  answers: { 200: { description: 'The entries.', schema: pageOf(auditEntry.type) } },
  errors: [],
} as const satisfies Partial<Description>
