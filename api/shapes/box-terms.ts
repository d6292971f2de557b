import { limitPeriods } from '../../core/box/box.ts'
import type { BoxAccess, OpeningLimit } from '../../core/box/box.ts'
import type { Odds } from '../../core/box/odds.ts'
import { int32Max, timeZone, wholeNumber } from '../inputs.ts'
import { count, nullable, number, oneOf, string } from '../../core/shape/json-schema.ts'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, shapeOf } from '../../core/shape/shape.ts'

const accesses: readonly BoxAccess[] = ['granted', 'limited']

const openingLimit = shapeOf<OpeningLimit>()('OpeningLimit', {
  count: field(count, (limit) => limit.count, {
    description: 'The number of openings.',
    example: 1,
    input: required(wholeNumber(1, int32Max)),
  }),
  period: field(oneOf<string>(limitPeriods), (limit) => limit.period, {
    description: 'After which openings are counted from 0 again.',
    example: 'day',
    input: required(choice(limitPeriods)),
  }),
  time_zone: field(string, (limit) => limit.timeZone, {
    description: 'In whose time days and weeks begin: a name of the IANA database.',
    example: 'Europe/Malta',
    input: timeZone,
  }),
})

/** The players who may open a box, and how often: as operators and as platforms see it. */
export const opensFor = shapeOf<{ access: BoxAccess; limit: OpeningLimit | null }>()(undefined, {
  access: field(oneOf<string>(accesses), ({ access }) => access, {
    description: 'The players who may open the box: those with a grant, or everybody within the limit.',
    example: 'limited',
    input: required(choice(accesses)),
  }),
  limit: field(nullable(openingLimit.type), ({ limit }) => limit && openingLimit.render(limit), {
    description: 'The number of times that a player may open the box, when its access is `limited`.',
    input: requestOf(inputsOf(openingLimit.fields)).strict().empty(null),
  }),
})

/** A probability. */
export const odds = shapeOf<Odds>()('Odds', {
  numerator: field(count, (odds) => odds.numerator, { description: 'Of the probability.', example: 1 }),
  denominator: field(count, (odds) => odds.denominator, { description: 'Of the probability.', example: 10 }),
  percentage: field(number, (odds) => odds.percentage, { description: 'The same in percent.', example: 10 }),
})
