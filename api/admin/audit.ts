import { listAudit } from '../../core/audit/read-audit.ts'
import type { AuditEntryView } from '../../core/audit/read-audit.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'

type Deps = Pick<ApiDeps, 'database'>

/** `GET …/audit`: who did what with the casino's things, the oldest first. */
export function createListAudit({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listAudit(database, casinoId, page), renderEntry, page) }
  }
}

/** `GET /admin/audit`, for the admin alone: what concerns no casino, such as logins to the operations pages. */
export function createListServiceAudit({ database }: Deps): AdminEndpoint {
  return async ({ query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listAudit(database, '', page), renderEntry, page) }
  }
}

function renderEntry(entry: AuditEntryView): object {
  return {
    id: entry.id,
    at: entry.at,
    actor: entry.actor,
    address: entry.address,
    action: entry.action,
    params: JSON.parse(entry.params) as unknown,
    reason: entry.reason,
    request_id: entry.requestId,
    outcome: entry.outcome,
    sequence: entry.sequence === null ? null : Number(entry.sequence),
    hash: entry.hash === null ? null : Buffer.from(entry.hash).toString('hex'),
  }
}
