import { searchInput, searchResults } from '../../admin/search.ts'
import { serviceState } from '../../admin/state-shapes.ts'
import { workInput, workList } from '../../admin/work.ts'
import type { Descriptions } from '../description.ts'
import { success } from './bodies.ts'

export const overviewDescriptions = {
  'GET /admin/work': {
    operationId: 'getWork',
    tag: 'Overview',
    summary: 'Show the work list',
    description:
      'Counts what waits for a person, up to 1,000 by kind and casino, in the caller’s live casinos or in one casino. Jobs that have failed permanently are shown only to operators of all casinos.',
    query: workInput,
    answers: { 200: { description: 'The work, the oldest first.', schema: success(workList.type) } },
    errors: ['casino_unknown'],
  },
  'GET /admin/search': {
    operationId: 'findObjects',
    tag: 'Overview',
    summary: 'Find objects by an id or a reference',
    description:
      'Finds exact matches in the caller’s casinos and their sandboxes: ids of objects, players and requests, tracking numbers, and references of providers and wallets. The id of a session leads to its operator, that of a delivery to its endpoint, that of a ledger transaction to its cashback. Operators and requests that concern no casino are found only by those who may see operators, processes only by callers of all casinos. Personal data are not searched.',
    query: searchInput,
    answers: { 200: { description: 'The objects.', schema: success(searchResults.type) } },
    errors: [],
  },
  'GET /admin/state': {
    operationId: 'getState',
    tag: 'Overview',
    summary: 'Show the state of the service',
    description:
      'Shows queues, outbox, processes, servers, and the last hour of the three operations. Only for operators of all casinos and the admin key.',
    answers: { 200: { description: 'The state.', schema: success(serviceState.type) } },
    errors: ['right_missing'],
  },
} as const satisfies Descriptions
