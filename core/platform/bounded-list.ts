import Joi from 'joi'

/**
 * A list of `min` (1) to `max`; `refine` says more of it. A longer one is refused without looking at what is in it: a body
 * has room for thousands of wrong elements, each would be told of, and comparing all with all takes seconds. Strict, or Joi
 * would take a text of JSON for the list. All lists that callers send are made here.
 */
export function boundedList<Element>(
  element: Joi.Schema<Element>,
  { min = 1, max, refine = (list) => list }: BoundsOfList,
): Joi.ArraySchema<Element[]> {
  const bounded = Joi.array<Element[]>().max(max)
  const elements = Joi.array<Element[]>().items(element)
  return Joi.array<Element[]>()
    .strict()
    .when(bounded, { then: refine(min === 0 ? elements : elements.min(min)), otherwise: bounded })
}

export interface BoundsOfList {
  min?: number
  max: number
  refine?: (list: Joi.ArraySchema) => Joi.Schema
}
