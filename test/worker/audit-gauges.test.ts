import { expect } from 'chai'
import { Registry } from 'prom-client'
import { addAuditGauges } from '../../worker/audit-gauges.ts'

const scrape = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the gauges of the audit trails', () => {
  let atMs = Date.parse('2026-01-01T00:00:00Z')
  const clock = { now: () => new Date(atMs) }

  it('are absent until the first turn, so that old refusals do not look like new ones', async () => {
    const registry = new Registry()
    const observe = addAuditGauges(registry, clock)
    expect(await scrape(registry)).to.deep.equal([])
    observe({ refused: 3, lostHeads: 2, broken: 1, chainedUntil: clock.now() })
    expect(await scrape(registry)).to.deep.equal([
      'rewards_audit_entries_refused 3',
      'rewards_audit_heads_lost 2',
      'rewards_audit_chains_broken 1',
      'rewards_audit_unchained_oldest_age_seconds 0',
    ])
  })

  it('have an age that grows while turns fail, from the oldest waiting entry', async () => {
    const registry = new Registry()
    const observe = addAuditGauges(registry, clock)
    const age = async () => (await scrape(registry)).at(-1)
    observe({ refused: 0, lostHeads: 0, broken: 0, chainedUntil: new Date(atMs - 4_500) })
    expect(await age()).to.equal('rewards_audit_unchained_oldest_age_seconds 4.5')
    atMs += 600_000
    expect(await age()).to.equal('rewards_audit_unchained_oldest_age_seconds 604.5')
    observe({ refused: 0, lostHeads: 0, broken: 0, chainedUntil: clock.now() })
    expect(await age()).to.equal('rewards_audit_unchained_oldest_age_seconds 0')
  })
})
