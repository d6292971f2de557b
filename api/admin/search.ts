import { rightsOf } from '../../core/operator/rights.ts'
import { findProcesses } from '../../core/process/read-processes.ts'
import { findByChosenId, findByOwnId } from '../../core/search/find-by-id.ts'
import { findByReference, findByRequest } from '../../core/search/find-by-reference.ts'
import { findForAdmins, ofService } from '../../core/search/find-of-service.ts'
import { foundMax, foundTypes, matches } from '../../core/search/found-object.ts'
import type { FoundObject } from '../../core/search/found-object.ts'
import { boolean, id, list, nullable, oneOf, string } from '../../core/shape/json-schema.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint, Operator } from '../endpoint.ts'
import { idInQuery, parseInput } from '../parse-input.ts'
import { success } from './render.ts'
import { scopeOf } from './scope.ts'

type Found = Omit<FoundObject, 'casinoId'> & { casinoId: string | null }

const searchResult = shapeOf<Found>()('SearchResult', {
  type: field(oneOf(foundTypes), (found) => found.type, {
    description: 'The type of the object that was found.',
  }),
  id: field(id, (found) => found.id, { example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802' }),
  casino_id: field(nullable(id), (found) => found.casinoId, {
    description: 'Its casino; null for operators, processes, and requests that concern no casino.',
    example: 'acme',
  }),
  matched: field(oneOf(matches), (found) => found.matched, {
    description: 'By what it was found.',
    example: 'id',
  }),
  prize_id: field(nullable(id), (found) => found.prizeId, {
    description: 'The prize that it is about; null if there is not one.',
    example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802',
  }),
  entry_id: field(nullable(id), (found) => found.entryId, {
    description: 'Of a request, its entry in the audit trail; null for all others.',
    example: null,
  }),
  label: field(string, (found) => found.label, {
    description: 'A label to show: a name, a type, or another id.',
    example: 'Coffee mug',
  }),
  state: field(nullable(string), (found) => found.state, {
    description: 'Its state; null if it has none.',
    example: 'won',
  }),
})

export const searchResults = shapeOf<{ results: readonly Found[]; isPartial: boolean }>()('SearchResults', {
  results: field(list(searchResult.type), ({ results }) => results.map(searchResult.render), {
    description: `The objects that were found, at most ${foundMax}.`,
  }),
  is_partial: field(boolean, ({ isPartial }) => isPartial, {
    description: 'Whether there is more than the answer has.',
    example: false,
  }),
})

export const searchInput = requestOf({
  q: required(
    idInQuery
      .description('An id, tracking number, reference or request id, whole and exact.')
      .example('prz_01b977d7aa0076a1b2c3d4e5f6071802'),
  ),
})

/** `GET /admin/search`: the objects with an id or a reference, in the caller's casinos and their sandboxes. */
export function createSearch({ database, clock }: Pick<ApiDeps, 'database' | 'clock'>): AdminEndpoint {
  /** For those who see the state of the service, which lists the same processes. */
  const findProcess = async (wanted: string) => {
    const processes = await findProcesses(database, clock.now())
    return processes
      .filter(({ processId }) => processId === wanted)
      .map(({ processId, kind }) => ofService('process', processId, kind, null))
  }
  return async ({ query, caller }) => {
    const { q } = parseInput(searchInput, { kind: 'object', value: query })
    const scope = scopeOf(caller)
    const found: Found[] = [
      ...(await findByOwnId(database, scope, q)),
      ...(await findByChosenId(database, scope, q)),
      ...(await findByReference(database, scope, q)),
      ...(await findByRequest(database, scope, q)),
      ...(seesOperators(caller) ? await findForAdmins(database, q) : []),
      ...(scope === 'all' && q.startsWith('prc_') ? await findProcess(q) : []),
    ]
    const results = found.slice(0, foundMax)
    return { body: success(searchResults.render({ results, isPartial: found.length > foundMax })) }
  }
}

/** Operators are of no casino, and for administrators. */
function seesOperators(caller: Operator): boolean {
  if (caller.kind !== 'person') return caller.kind === 'admin'
  return caller.record.casinos === 'all' && rightsOf(caller.record.role).includes('admin')
}
