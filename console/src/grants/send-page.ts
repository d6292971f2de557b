import { answered, api, ApiError } from '../api.ts'
import { keyOf } from './grant-pages.ts'
import type { GrantPage } from './grant-pages.ts'
import type { PageOutcome } from './send-pages.ts'

/** The service's answers while it has no room; nothing has been done then. */
const busyStatuses = [408, 429, 503]
const busyCodes = ['storage_contended', 'idempotency_key_in_progress']
const busySeconds = 2

/**
 * The beginning of a new second by the service's clock, by which it dates grants: its `Date` counts whole seconds, and
 * grants of the second that has begun may have been made before.
 */
export async function awaitServiceTime(
  casinoId: string,
  wait: (seconds: number) => Promise<void>,
): Promise<number> {
  const path = { casino_id: casinoId }
  const { response } = await api.GET('/admin/casinos/{casino_id}', { params: { path } })
  const timeMs = Date.parse(response.headers.get('Date') ?? '')
  if (Number.isNaN(timeMs)) return Date.now()
  await wait(1)
  return timeMs + 1_000
}

/** Sends a page under a key of its own, and counts what was made since `startedMs`. Throws an `ApiError` that names the lines. */
export async function sendPage(
  casinoId: string,
  page: GrantPage,
  { reason, startedMs }: { reason: string; startedMs: number },
): Promise<PageOutcome> {
  const post = async (key: { 'Idempotency-Key'?: string }) => {
    const header = { ...key, 'X-Reason': encodeURIComponent(reason) }
    const params = { path: { casino_id: casinoId }, header }
    const body = { grants: [...page.grants] }
    const { data } = await answered(api.POST('/admin/casinos/{casino_id}/grants', { params, body }))
    const added = data.filter((grant) => Date.parse(grant.created_at) >= startedMs).length
    return { kind: 'done', added, known: data.length - added } as const
  }
  try {
    return await post({ 'Idempotency-Key': await keyOf(page) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (busyStatuses.includes(error.status) || busyCodes.includes(error.code))
      return { kind: 'busy', seconds: error.retryAfterSeconds ?? busySeconds }
    // They were made before the service stopped. Their ids keep them from being made again.
    if (error.code === 'idempotency_answer_lost') return await post({})
    throw withLines(error, page)
  }
}

function withLines(error: ApiError, { firstLine, lastLine }: GrantPage): ApiError {
  const { code, status, requestId, retryAfterSeconds } = error
  const isUnknown = status === 0 || status >= 500
  const outcome = isUnknown ? 'may have been granted, which is safe to repeat' : 'were not granted'
  const advice =
    code === 'grant_conflict'
      ? ' One of them has the id of another grant: another name of the batch makes other ids.'
      : ''
  return new ApiError(
    `Lines ${firstLine} to ${lastLine} ${outcome}. ${error.message.replace(/\.$/, '')}.${advice}`,
    { code, status, requestId, retryAfterSeconds },
    { cause: error },
  )
}
