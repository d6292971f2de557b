import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Clock } from '../core/platform/clock.ts'

/** The problems of the audit trails, as this worker has found them in its last turn. */
export interface AuditFound {
  refused: number
  lostHeads: number
  broken: number
  /** No older entry waits to be chained. */
  chainedUntil: Date
}

/**
 * Adds the gauges of the audit trails. They are absent until the first turn: a 0 would look like entries that are
 * refused as soon as the turn finds old ones. If turns fail, the age continues to grow.
 */
export function addAuditGauges(registry: Registry, clock: Clock): (found: AuditFound) => void {
  let last: AuditFound | undefined
  const add = (name: string, help: string, valueOf: (found: AuditFound) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        if (last === undefined) this.remove()
        else this.set(valueOf(last))
      },
    })
  add(
    'rewards_audit_entries_refused',
    'Audit entries that were not chained because their signature is not the service’s.',
    ({ refused }) => refused,
  )
  add(
    'rewards_audit_heads_lost',
    'Audit trails that lacked an entry they once ended with, when this worker last checked.',
    ({ lostHeads }) => lostHeads,
  )
  add(
    'rewards_audit_chains_broken',
    'Audit trails that cannot be extended, because their last link is not the service’s.',
    ({ broken }) => broken,
  )
  add(
    'rewards_audit_unchained_oldest_age_seconds',
    'The age of the oldest audit entry that waits to be chained as far as this worker knows: it knows nothing of entries since its last turn.',
    ({ chainedUntil }) => Math.max(0, clock.now().getTime() - chainedUntil.getTime()) / 1_000,
  )
  return (found) => {
    last = found
  }
}
