import type Joi from 'joi'
import type { AdminEndpoint } from '../endpoint.ts'
import type { ParameterErrors } from '../error-response.ts'
import { InputError } from '../parse-input.ts'

/**
 * Refuses parameters that the description of a read does not name. A slip such as `?playerid=` would otherwise narrow
 * nothing down, and the list of everybody would pass for that of one player.
 */
export function refuseUnknownQuery(
  query: Joi.ObjectSchema | undefined,
  endpoint: AdminEndpoint,
): AdminEndpoint {
  const { keys = {} } = (query?.describe() ?? {}) as { keys?: object }
  const known = Object.keys(keys)
  const hint = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`
  return (request) => {
    const unknown = Object.keys(request.query).filter((name) => !known.includes(name))
    if (unknown.length === 0) return endpoint(request)
    const errors: ParameterErrors = Object.fromEntries(
      unknown.map((name) => [name, [{ error: 'unknown', message: `${name} is not a parameter: ${hint}` }]]),
    )
    return Promise.reject(new InputError(errors))
  }
}
