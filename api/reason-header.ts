import { requestOf } from '../core/shape/request-shape.ts'
import { inputError, reason } from './inputs.ts'
import { isVisible } from './audited.ts'
import { parseInput, refuseApiKeys } from './parse-input.ts'

const name = 'X-Reason'
const input = requestOf({ reason })

/**
 * The reason in the header `X-Reason`; null without one. HTTP headers carry ASCII safely and nothing else, so other
 * characters are percent-encoded. Throws an InputError for text that cannot be stored as a reason.
 */
export function parseReasonHeader(value: string): string | null {
  const decoded = decode(value)
  refuseApiKeys({ [name]: decoded })
  const { reason: read } = parseInput(input, { kind: 'object', value: { reason: decoded } })
  return read !== undefined && isVisible(read) ? read : null
}

function decode(value: string): string {
  if (/^[ -~]*$/.test(value)) {
    try {
      return decodeURIComponent(value)
    } catch {
      // told below
    }
  }
  throw inputError(
    name,
    'encoding',
    `${name} must be ASCII, with other characters and % percent-encoded in UTF-8`,
  )
}
