/** A problem of a request to an S3-compatible store, in words that say what to do. */
export class S3Error extends Error {
  /** Of the store, such as `NoSuchBucket`, or of the network. */
  readonly code: string

  constructor(place: string, code: string, explanation: string) {
    super(`${place}: ${explanation}`)
    this.name = 'S3Error'
    this.code = code
  }
}

/** Repeats nothing of the store's message: it can have the key's id, and anything else. */
export function toS3Error(place: string, error: unknown, timeoutMs: number): S3Error {
  if (error instanceof S3Error) return error
  const code = codeOf(error)
  return new S3Error(place, code, explain(code, error, timeoutMs))
}

/** Whether an answer was cut off or came too slowly, so that it can be asked for again. */
export const isCutOff = ({ code }: S3Error): boolean => slow.has(code) || broken.has(code)

const slow = new Set(['TimeoutError', 'ETIMEDOUT', 'AbortError'])
const broken = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'aborted'])
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const wrongCredentials = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'UnrecognizedClientException',
])
const otherRegion = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/

function explain(code: string, error: unknown, timeoutMs: number): string {
  if (slow.has(code)) return `the store did not answer within ${timeoutMs / 1000} seconds: try again later`
  if (broken.has(code)) return `the store closed the connection (${code}): try again`
  if (unreachable.has(code))
    return `the store cannot be reached (${code}): check AWS_ENDPOINT_URL_S3, AWS_REGION and the network`
  if (wrongCredentials.has(code))
    return `the store refuses the credentials (${code}): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN`
  if (otherRegion.has(code)) return `the bucket is in another region (${code}): set AWS_REGION to its region`
  if (certificate.test(code))
    return `the store's certificate is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`
  const known = explanations[code]
  if (known !== undefined) return known
  const status = statusOf(error)
  return `the store refused the request (${code}${status === undefined ? '' : `, HTTP ${status}`})`
}

const explanations: Readonly<Record<string, string>> = {
  AccessDenied:
    'access is denied: the credentials need s3:GetObject, s3:PutObject and s3:AbortMultipartUpload for this place, and s3:ListBucket for the bucket',
  CredentialsProviderError:
    'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file of credentials in AWS_SHARED_CREDENTIALS_FILE',
  ExpiredToken: 'the credentials have expired: get new ones',
  InvalidObjectState: 'the object is in cold storage: bring it back there first',
  InternalError: 'the store failed (InternalError): try again later',
  NoRange: 'the store did not answer with a part of the object: it does not work like S3',
  NoSuchBucket: 'the bucket does not exist: create it, or correct --store',
  NoSuchKey: 'the object does not exist',
  NoSuchUpload: 'the store has dropped the upload: repeat the command',
  RequestTimeTooSkewed: "this machine's clock differs from the store's: set it",
  SlowDown: 'the store is overloaded (SlowDown): try again later',
  ServiceUnavailable: 'the store is not available (ServiceUnavailable): try again later',
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.message === 'aborted') return 'aborted'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  // A proxy or a HEAD answers without a code.
  if (code === 'UnknownError' || code === 'Error') return codesOfStatus[statusOf(error) ?? 0] ?? code
  return /^[\w.-]{1,64}$/.test(code) ? code : 'unknown error'
}

const codesOfStatus: Readonly<Record<number, string>> = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  412: 'PreconditionFailed',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode
}
