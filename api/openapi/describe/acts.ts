import { actInput, actMoveInput, actObjectsInput, actsInput } from '../../admin/acts.ts'
import { act, actObject, madeActType } from '../../admin/act-shapes.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

function movedTo(example: object) {
  return { 200: { description: 'The act.', schema: success(act.type), example } }
}

const unended = { ended_at: null, progress: { objects: 3, waiting: 2, done: 0, refused: 1, skipped: 0 } }

export const actDescriptions = {
  'POST /acts': {
    operationId: 'makeAct',
    tag: 'Acts',
    summary: 'Preview an action on many objects',
    description:
      'Freezes the selection and the revision of each object. Nothing is changed yet. The act expires unless it is started within 15 minutes. For `event.replay` the selection may be a range of events.',
    body: actInput,
    asksNoReason: true,
    answers: {
      201: {
        description: 'The act and its preview.',
        schema: success(madeActType),
        example: { state: 'previewed', reason: null, started_at: null, ...unended },
      },
    },
    errors: ['webhook_endpoint_unknown'],
  },
  'GET /acts': {
    operationId: 'listActs',
    tag: 'Acts',
    summary: 'List the acts',
    description: 'Optionally only those in one state.',
    query: actsInput,
    answers: { 200: { description: 'The acts, the newest first.', schema: pageOf(act.type) } },
    errors: [],
  },
  'GET /acts/:act_id': {
    operationId: 'getAct',
    tag: 'Acts',
    summary: 'Show an act',
    description: 'Shows its state and progress.',
    answers: { 200: { description: 'The act.', schema: success(act.type) } },
    errors: ['act_unknown'],
  },
  'GET /acts/:act_id/objects': {
    operationId: 'listActObjects',
    tag: 'Acts',
    summary: 'List an act’s objects',
    description: 'Shows the result for each object.',
    query: actObjectsInput,
    answers: { 200: { description: 'The objects, by their ids.', schema: pageOf(actObject.type) } },
    errors: ['act_unknown'],
  },
  'POST /acts/:act_id/start': {
    operationId: 'startAct',
    tag: 'Acts',
    summary: 'Start an act',
    description:
      'A worker carries it out, object by object. An object that has changed since the preview is refused. Above the limit of the casino’s setting `approvals`, a person’s act waits for another person first.',
    body: actMoveInput,
    answers: movedTo({ state: 'running', ...unended }),
    errors: ['act_unknown', 'act_expired', 'act_not_yours', 'transition_illegal'],
  },
  'POST /acts/:act_id/approve': {
    operationId: 'approveAct',
    tag: 'Acts',
    summary: 'Approve an act',
    description: 'Only a second person can approve it. A worker then carries it out.',
    body: actMoveInput,
    answers: movedTo({ state: 'running', ...unended, needs_approval: true, decided_by: 'operator:grace' }),
    errors: [
      'act_unknown',
      'act_expired',
      'session_required',
      'approval_by_maker',
      'act_maker_unable',
      'transition_illegal',
    ],
  },
  'POST /acts/:act_id/decline': {
    operationId: 'declineAct',
    tag: 'Acts',
    summary: 'Decline an act',
    description: 'Only a second person can decline it. None of the objects is changed.',
    body: actMoveInput,
    answers: movedTo({
      state: 'declined',
      started_at: null,
      needs_approval: true,
      decided_by: 'operator:grace',
    }),
    errors: ['act_unknown', 'act_expired', 'session_required', 'approval_by_maker', 'transition_illegal'],
  },
  'POST /acts/:act_id/stop': {
    operationId: 'stopAct',
    tag: 'Acts',
    summary: 'Stop an act',
    description: 'Finished objects stay as they are. After the response no further object is changed.',
    body: actMoveInput,
    answers: movedTo({ state: 'stopped', stopped_by: 'operator:grace' }),
    errors: ['act_unknown', 'act_expired', 'transition_illegal'],
  },
} as const satisfies Descriptions
