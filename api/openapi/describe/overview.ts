import { searchInput, searchResults } from '../../admin/search.ts'
import { serviceState } from '../../admin/state-shapes.ts'
import { workInput, workList } from '../../admin/work.ts'
import type { Descriptions } from '../description.ts'
import { success } from './bodies.ts'

export const overviewDescriptions = {
  'GET /admin/work': {
    operationId: 'getWork',
    tag: 'Overview',
    summary: 'What waits for a person',
    description:
      'Counted up to 1,000 by kind and casino, in the live casinos of the caller, or in one casino. Jobs that have failed permanently are of no casino: only operators of all casinos see them.',
    query: workInput,
    answers: { 200: { description: 'What waits, the oldest first.', schema: success(workList.type) } },
    errors: ['casino_unknown'],
  },
  'GET /admin/search': {
    operationId: 'findObjects',
    tag: 'Overview',
    summary: 'Find something by an id or a reference',
    description:
      'Exact matches only, in the caller’s casinos and their sandboxes: ids that the service or a casino has made, players, tracking numbers, references of providers and wallets, and requests. Personal data are not searched.',
    query: searchInput,
    answers: { 200: { description: 'What was found.', schema: success(searchResults.type) } },
    errors: [],
  },
  'GET /admin/state': {
    operationId: 'getState',
    tag: 'Overview',
    summary: 'How the service is',
    description:
      'Queues, outbox, processes, servers, and the last hour of the three operations. For operators of all casinos and the admin key.',
    answers: { 200: { description: 'The state.', schema: success(serviceState.type) } },
    errors: ['right_missing'],
  },
} as const satisfies Descriptions
