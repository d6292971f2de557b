import type { ErrorCode } from '../core/errors.ts'

/** Which operation is speaking: each of the three has its own documented messages. */
export type ErrorStyle = 'box_open' | 'prize_order' | 'prize_cashback' | 'general'

/** Where an operation's status for a code differs from the table in error-response.ts. */
export const statusOverrides: Partial<Record<ErrorStyle, Partial<Record<ErrorCode, number>>>> = {
  // A key without the scope is not a key for these operations: their documents know no other refusal of a caller.
  box_open: { api_key_scope_missing: 401 },
  prize_order: { api_key_scope_missing: 401, prize_not_owned: 403 },
  prize_cashback: { api_key_scope_missing: 401 },
}

/** Part of the published contract of each operation, which has them as constants. */
const contractMessages = {
  413: 'Request body too large',
  422: 'This Idempotency-Key was used for a different request',
}

/** The documented messages, by status. */
export const documentedMessages: Record<ErrorStyle, Partial<Record<number, string>>> = {
  box_open: {
    400: 'Missing or invalid player_id or box_id',
    401: 'Invalid or missing API key',
    404: 'Box not found or unavailable',
    ...contractMessages,
    500: 'An error occurred while opening the box.',
  },
  prize_order: {
    400: 'The given data was invalid.',
    401: 'Invalid or missing API key',
    403: 'Player does not have the specified prize in inventory',
    404: 'Prize not found or unavailable for order',
    ...contractMessages,
    500: 'An error occurred while recording the prize order.',
  },
  prize_cashback: {
    400: 'Missing or invalid player_id or prize_id',
    401: 'Invalid or missing API key',
    404: 'Prize not found or unavailable for cashback',
    ...contractMessages,
    500: 'An error occurred while recording the cashback decision.',
  },
  general: {},
}

/** Which operations name the parameters in their 400; the others' documented body has no `errors`. */
export const namesParameters: Record<ErrorStyle, boolean> = {
  box_open: false,
  prize_order: true,
  prize_cashback: false,
  general: true,
}
