import { getAuditEntry, listAudit } from '../../core/audit/read-audit.ts'
import type { AuditEntryDetails, AuditEntryView, ChainedEntry } from '../../core/audit/read-audit.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { count, matching, nullable, objectOf, string, time } from '../../core/shape/json-schema.ts'
import { requestOf } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { idInQuery } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { pathId } from '../inputs.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database'>

const entryId = matching(/^aud_[0-9a-f]{32}$/, 'aud_01b977d7aa0076a1b2c3d4e5f6071808')
const hash = matching(/^[0-9a-f]{64}$/)
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export const auditEntry = shapeOf<AuditEntryView>()('AuditEntry', {
  id: field(entryId, (entry) => entry.id),
  at: field(time, (entry) => entry.at),
  actor: field(string, (entry) => entry.actor),
  address: field(nullable(string), (entry) => entry.address, {
    description: 'The address that it came from.',
    example: '203.0.113.7',
  }),
  action: field(string, (entry) => entry.action, {
    description: 'The action: method and route.',
    example: 'POST /admin/casinos/:casino_id/grants',
  }),
  params: field(
    objectOf(string),
    // As they were written down.
    (entry) => JSON.parse(entry.params) as Record<string, string>,
    { description: 'The path’s parameters.', example: { casino_id: 'acme' } },
  ),
  reason: field(nullable(string), (entry) => entry.reason, { example: null }),
  request_id: field(string, (entry) => entry.requestId),
  outcome: field(string, (entry) => entry.outcome, { example: '200' }),
  sequence: field(nullable(count), ({ sequence }) => (sequence === null ? null : Number(sequence)), {
    description: 'Counts what happens to one object, or the openings of one player, from 1.',
    example: 1,
  }),
  hash: field(nullable(hash), (entry) => (entry.hash === null ? null : hexOf(entry.hash)), {
    description: 'The entry’s hash in the chain; null until it is chained.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
})

const chainedEntry = shapeOf<ChainedEntry>()('ChainedAuditEntry', {
  id: field(entryId, (entry) => entry.id),
  sequence: field(count, ({ sequence }) => Number(sequence), {
    description: 'Its place in the chain, from 1.',
    example: 2,
  }),
  hash: field(hash, (entry) => hexOf(entry.hash), {
    description: 'Its hash in the chain.',
    example: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  }),
})

export const auditEntryDetails = shapeOf<AuditEntryDetails>()('AuditEntryDetails', {
  ...auditEntry.fields,
  previous: field(
    nullable(chainedEntry.type),
    ({ previous }) => (previous === null ? null : chainedEntry.render(previous)),
    {
      description: 'The entry before it in the chain, whose hash is part of its own; null for the first one.',
    },
  ),
  next: field(nullable(chainedEntry.type), ({ next }) => (next === null ? null : chainedEntry.render(next)), {
    description: 'The entry after it in the chain; null if there is none yet.',
  }),
})

export const auditQuery = requestOf({
  ...listParameters(),
  request_id: idInQuery.description('Only the entries of this request.'),
})

/** `GET …/audit`: the actions on the casino's objects, with their actors, the oldest first. */
export function createListAudit({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(auditQuery, query)
    const trail = { casinoId, requestId: input.request_id }
    return { body: renderList(await listAudit(database, trail, page), auditEntry.render, page) }
  }
}

/**
 * `GET /admin/audit`, for the admin key and admins of all casinos: the actions that concern no casino, such as signing
 * in to the console.
 */
export function createListServiceAudit({ database }: Deps): AdminEndpoint {
  return async ({ query }) => {
    const { page, input } = parseListQuery(auditQuery, query)
    const trail = { casinoId: '', requestId: input.request_id }
    return { body: renderList(await listAudit(database, trail, page), auditEntry.render, page) }
  }
}

/** `GET …/audit/{entry_id}`: an entry, and its neighbours in the chain. */
export function createGetAuditEntry({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const entry = await getAuditEntry(database, request.casinoId, pathId(request, 'entry_id'))
    return { body: success(auditEntryDetails.render(entry)) }
  }
}

/** `GET /admin/audit/{entry_id}`: the same of the service's trail. */
export function createGetServiceAuditEntry({ database }: Deps): AdminEndpoint {
  return async (request) => {
    const entry = await getAuditEntry(database, '', pathId(request, 'entry_id'))
    return { body: success(auditEntryDetails.render(entry)) }
  }
}
