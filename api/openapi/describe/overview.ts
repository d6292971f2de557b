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
} as const satisfies Descriptions
