import type Joi from 'joi'
import type { AdminEndpoint } from '../endpoint.ts'
import type { ParameterErrors } from '../error-response.ts'
import { keysOf } from '../../core/shape/request-shape.ts'
import { InputError } from '../parse-input.ts'

/** A URL has room for thousands, and each would be answered with a sentence. */
const namedMax = 20

/**
 * Refuses parameters that the description of a read does not name, and those that are sent twice. A slip such as
 * `?playerid=` would otherwise narrow nothing down, and the list of everybody would pass for that of one player; of
 * `?state=a&state=b` one half would be missing.
 */
function refuseUnknownQuery(query: Joi.ObjectSchema | undefined, endpoint: AdminEndpoint): AdminEndpoint {
  const known = query === undefined ? [] : keysOf(query)
  const hint = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`
  return (request) => {
    const errors: ParameterErrors = Object.create(null) as ParameterErrors // a name may be `__proto__`
    const unknown = Object.keys(request.query).filter((name) => !known.includes(name))
    for (const name of unknown.slice(0, namedMax)) {
      errors[name] = [{ error: 'unknown', message: `${name} is not a parameter: ${hint}` }]
    }
    for (const name of request.repeatedInQuery.filter((repeated) => known.includes(repeated))) {
      errors[name] = [{ error: 'unique', message: `${name} must be sent once` }]
    }
    return Object.keys(errors).length === 0 ? endpoint(request) : Promise.reject(new InputError(errors))
  }
}

/** The endpoint of a route, which refuses unknown parameters where it only reads. */
export function checked(
  method: string,
  description: { operationId: string; query?: Joi.ObjectSchema },
  endpoint: AdminEndpoint,
): AdminEndpoint {
  return method === 'GET' ? refuseUnknownQuery(description.query, endpoint) : endpoint
}
