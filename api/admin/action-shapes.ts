import type Joi from 'joi'
import { nextSteps } from '../../core/prize/decide-action.ts'
import type { Action, NextStep } from '../../core/prize/decide-action.ts'
import { boolean, list, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { errorMeanings } from '../error-response.ts'
import { keysOf } from '../../core/shape/request-shape.ts'
import type { Right } from '../../core/operator/rights.ts'

/** An action with its right and its fields in the API. */
interface OfferedAction extends Action<string> {
  right: string
  fields: readonly string[]
}

/** Which request carries an action out: its route and its body. */
interface ActionRequest {
  /** Method and path, as `casinoRights` has it. */
  route: string
  input: Joi.ObjectSchema
}

/** The right that people need for a route of a casino: from the table of rights, which the routes have. */
export type RightOf = (route: string) => Right

/** Adds to each action the right that people need for it and the fields of its body. */
export function offered<Name extends string>(
  actions: readonly Action<Name>[],
  rightOf: RightOf,
  requestOf: (name: Name) => ActionRequest,
): readonly OfferedAction[] {
  return actions.map((action) => {
    const { route, input } = requestOf(action.name)
    const fields = keysOf(input).filter((name) => name !== 'reason' && name !== 'expected_revision')
    return { ...action, right: rightOf(route), fields }
  })
}

export const offeredAction = shapeOf<OfferedAction>()('OfferedAction', {
  action: field(string, ({ name }) => name, {
    description: 'The last part of the path of its request.',
    example: 'confirm',
  }),
  allowed: field(boolean, ({ refusal }) => refusal === null, {
    description: 'Whether the state allows it now.',
    example: true,
  }),
  right: field(oneOf(['support', 'finance']), ({ right }) => right, {
    description: 'The right that an operator’s role needs.',
    example: 'support',
  }),
  why_not: field(
    nullable(string),
    // A refusal without words of its own has its code as its message.
    ({ refusal }) =>
      refusal === null
        ? null
        : refusal.message === refusal.code
          ? errorMeanings[refusal.code].message
          : refusal.message,
    { description: 'The obstacle; null if it is allowed.', example: null },
  ),
  consequence: field(string, ({ consequence }) => consequence, {
    description: 'Its consequences.',
    example: 'The order is confirmed, and a worker submits it for shipment.',
  }),
  cannot_undo: field(boolean, ({ cannotUndo }) => cannotUndo, {
    description: 'Whether no later action can take it back.',
    example: false,
  }),
  fields: field(list(string), ({ fields }) => fields, {
    description: 'The parameters of its body beside `reason` and `expected_revision`.',
    example: [],
  }),
})

export const nextStep = shapeOf<NextStep>()('NextStep', {
  what: field(oneOf(nextSteps), ({ what }) => what, {
    description: 'The step; `person` if it waits for one.',
    example: 'reminder',
  }),
  at: field(nullable(time), ({ at }) => at, {
    description: 'When; null if it comes as soon as it can, or waits for a person.',
  }),
})

/** The fields with the actions and the next step, for the details of an object. */
export const actionFields = {
  actions: field(
    list(offeredAction.type),
    ({ actions }: { actions: readonly OfferedAction[] }) => actions.map(offeredAction.render),
    { description: 'The actions that operators can take.' },
  ),
  next: field(
    nullable(nextStep.type),
    ({ next }: { next: NextStep | null }) => (next === null ? null : nextStep.render(next)),
    { description: 'The next step that the service takes by itself; null if there is none.' },
  ),
}

/** Where an object's details get them from. */
export interface WithActions {
  actions: readonly OfferedAction[]
  next: NextStep | null
}
