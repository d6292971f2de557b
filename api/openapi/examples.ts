import { createSigner } from '../../core/crypto/signer.ts'
import { signRow } from '../../core/fairness/sign-row.ts'

/**
 * Where the example of a field's name would not be true of a schema: by the schema's name and the field's. All of them
 * tell one story: Ada, the casino's player-42, opens the box `daily` on the last day of January, and wins a mug.
 * `undefined` leaves an optional field out.
 */
export const examples: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = {
  ...casinos(),
  ...players(),
  ...partners(),
}

/** Signed as the service signs, with a key for examples only: `npm run verify` takes the example. */
export function signExample(title: string | undefined, example: Record<string, unknown>): object {
  if (title !== 'OpeningEvidence') return example
  const signed = new Set(['signing_key', 'digests', 'signature'])
  const row = Object.entries(example).filter(([name]) => !signed.has(name)) as [string, string | null][] // it is flat
  return signRow(createSigner('the examples of the document', 'fairness-evidence'), Object.fromEntries(row))
}

function casinos() {
  return {
    EnableWebhookEndpointRequest: { reason: 'The receiver is back' },
    DisableWebhookEndpointRequest: { reason: 'The receiver moves' },
    ReplayWebhookEventsRequest: {
      from: '2030-01-31T00:00:00Z',
      until: '2030-02-01T00:00:00Z',
      cursor: undefined,
    },
  }
}

function players() {
  return {
    ExportPlayerRequest: { cursor: undefined },
    ReportShipmentRequest: { status: 'shipped', reason: null },
  }
}

function partners() {
  return {
    SubmitAnswerAccepted: { reference: 'parcel-20300131-77' },
    NewsAnswer: { status: 'shipped', reason: null },
    CashbackWalletContradictedEventData: { outcome: 'declined', problem: undefined },
    CheckReadinessResponse: { message: undefined },
    CheckReadinessServiceUnavailableResponse: {
      status: 'error',
      database: 'unavailable',
    },
    ParameterError: { message: 'player_id is required' },
  }
}
