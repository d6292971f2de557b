import Joi from 'joi'

/**
 * A list of `min` (1) to `max` elements; `refine` adds rules. A longer list is refused without reading its elements: a
 * body has room for thousands of invalid ones, each would be reported, and comparing them all with each other takes
 * seconds. Strict, because Joi would accept a JSON text as the list. All lists in requests are built here.
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
