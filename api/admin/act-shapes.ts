import { actActions, meaningOf } from '../../core/act/decide-act.ts'
import type { ActRecord } from '../../core/act/act.ts'
import type { PreviewedObject } from '../../core/act/load-objects.ts'
import type { ActObject } from '../../core/act/read-acts.ts'
import { actObjectStates, actTransitions } from '../../core/act/state.ts'
import { amountToJson } from '../../core/money.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  money,
  named,
  nullable,
  object,
  objectOf,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, said, shapeOf, typesOf } from '../../core/shape/shape.ts'
import { meaningOfCode } from '../error-response.ts'

const progress = shapeOf<ActRecord['counts']>()('ActProgress', {
  objects: field(count, ({ objects }) => objects, { description: 'The size of the selection.', example: 3 }),
  waiting: field(count, ({ objects, done, refused, skipped }) => objects - done - refused - skipped, {
    description: 'The number of objects without a result.',
    example: 0,
  }),
  done: field(count, ({ done }) => done, {
    description: 'For how many it was carried out.',
    example: 2,
  }),
  refused: field(count, ({ refused }) => refused, {
    description: 'For how many it was not allowed, in the preview or later.',
    example: 1,
  }),
  skipped: field(count, ({ skipped }) => skipped, {
    description: 'The number of objects that were not changed, because the act ended first.',
    example: 0,
  }),
})

export const act = shapeOf<ActRecord>()('Act', {
  act_id: field(matching(/^act_[0-9a-f]{32}$/), (act) => act.id),
  action: field(oneOf(actActions), (act) => act.action, {
    description: 'The action on each object.',
    example: 'order.confirm',
  }),
  params: field(objectOf(true), (act) => ({ ...act.params }), {
    description: 'The further fields of the action.',
    example: {},
  }),
  state: field(oneOf(Object.keys(actTransitions)), (act) => act.state, {
    description: 'The state of the act.',
    example: 'done',
  }),
  consequence: field(string, (act) => meaningOf(act.action).effect(act.params).consequence, {
    description: 'The effect on each object, as a sentence.',
    example: 'The order is confirmed, and a worker submits it for shipment.',
  }),
  cannot_undo: field(boolean, (act) => meaningOf(act.action).effect(act.params).cannotUndo, {
    description: 'Whether no other action takes it back.',
    example: false,
  }),
  amounts: field(
    list(money),
    (act) =>
      act.amounts.map(({ amountMinor, currency }) => ({ amount_minor: amountToJson(amountMinor), currency })),
    { description: 'The money that it decides about, a sum for each currency.', example: [] },
  ),
  needs_approval: field(boolean, (act) => act.needsApproval, {
    description: 'Whether another person has to agree.',
    example: false,
  }),
  progress: field(progress.type, (act) => progress.render(act.counts), {
    description: 'The number of objects with a result.',
  }),
  made_by: field(string, (act) => act.madeBy, {
    description: 'The actor who made and started it.',
    example: 'operator:ada',
  }),
  reason: field(nullable(string), (act) => act.reason, { example: 'The warehouse has them' }),
  created_at: field(time, (act) => act.createdAt),
  expires_at: field(time, (act) => act.expiresAt, {
    description: 'The time until which it can be started or approved.',
    example: '2030-01-31T12:15:00.000Z',
  }),
  started_at: field(nullable(time), (act) => act.startedAt, {
    description: 'Since when it is carried out.',
    example: '2030-01-31T12:01:00.000Z',
  }),
  decided_by: field(nullable(string), (act) => act.decidedBy, {
    description: 'The second person.',
    example: null,
  }),
  decided_at: field(nullable(time), (act) => act.decidedAt, {
    description: 'When it was approved or declined.',
    example: null,
  }),
  decision_reason: field(nullable(string), (act) => act.decisionReason, {
    description: 'Why it was approved or declined.',
    example: null,
  }),
  stopped_by: field(nullable(string), (act) => act.stoppedBy, {
    description: 'The actor who stopped it.',
    example: null,
  }),
  stopped_at: field(nullable(time), (act) => act.stoppedAt, {
    description: 'When it was stopped.',
    example: null,
  }),
  stop_reason: field(nullable(string), (act) => act.stopReason, {
    description: 'Why it was stopped.',
    example: null,
  }),
  ended_at: field(nullable(time), (act) => act.endedAt, {
    description: 'Since when nothing more happens.',
    example: '2030-01-31T12:01:02.000Z',
  }),
})

const refusedObject = shapeOf<{ objectId: string; code: string; message: string | null }>()('RefusedObject', {
  object_id: field(id, ({ objectId }) => objectId),
  code: field(string, ({ code }) => code, { description: 'The error code.', example: 'transition_illegal' }),
  message: field(string, ({ code, message }) => message ?? meaningOfCode(code), {
    description: 'The reason, as a sentence.',
    example: 'The order is already confirmed',
  }),
})

interface MadeAct {
  act: ActRecord
  objects: readonly PreviewedObject[]
  /** Where a selection by a range continues. */
  nextCursor: string | undefined
}

const preview = shapeOf<MadeAct>()('ActPreview', {
  allowed: field(count, ({ objects }) => objects.filter(({ refusal }) => refusal === null).length, {
    description: 'For how many objects it is allowed now.',
    example: 2,
  }),
  refused: field(
    list(refusedObject.type),
    ({ objects }) =>
      objects.flatMap(({ objectId, refusal }) =>
        refusal === null ? [] : [refusedObject.render({ objectId, ...refusal })],
      ),
    { description: 'The objects that it is not allowed for: the act leaves them alone.' },
  ),
  amounts: field(list(money), (made) => act.fields.amounts.read(made.act), {
    description: 'The money that it decides about, a sum for each currency.',
    example: [],
  }),
  consequence: field(string, (made) => act.fields.consequence.read(made.act), {
    description: 'The effect on each object, as a sentence.',
    example: 'The order is confirmed, and a worker submits it for shipment.',
  }),
  cannot_undo: field(boolean, (made) => act.fields.cannot_undo.read(made.act), {
    description: 'Whether no other action takes it back.',
    example: false,
  }),
  needs_approval: field(boolean, (made) => act.fields.needs_approval.read(made.act), {
    description: 'Whether another person has to agree.',
    example: false,
  }),
  next_cursor: field(nullable(string), ({ nextCursor }) => nextCursor ?? null, {
    description:
      'If `event_range` has more events than one act: the `cursor` for the next act. Null if all are selected.',
    example: null,
  }),
})

type ActFields = ReturnType<typeof act.render>

/** An act that was just made. */
export function renderMadeAct(made: MadeAct): ActFields & { preview: object } {
  return { ...act.render(made.act), preview: preview.render(made) }
}

export const madeActType = named(
  'MadeAct',
  object({
    ...typesOf(act.fields),
    preview: said(preview.type, { description: 'The effect that it would have.' }),
  }),
)

export const actObject = shapeOf<ActObject>()('ActObject', {
  object_id: field(id, (object) => object.id),
  revision: field(nullable(count), (object) => object.revision, {
    description: 'The revision that was previewed; none for objects that do not change.',
    example: 3,
  }),
  state: field(oneOf(actObjectStates), (object) => object.state, {
    description: 'The result.',
    example: 'done',
  }),
  code: field(nullable(string), (object) => object.code, {
    description: 'Why it was refused: an error code.',
    example: null,
  }),
  message: field(
    nullable(string),
    ({ code, message }) => (code === null ? null : (message ?? meaningOfCode(code))),
    { description: 'Why it was refused, as a sentence.', example: null },
  ),
  settled_at: field(nullable(time), (object) => object.settledAt, {
    description: 'Since when it has its result.',
    example: '2030-01-31T12:01:01.000Z',
  }),
})
