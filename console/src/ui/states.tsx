import type { ComponentChildren } from 'preact'
import { ApiError } from '../api.ts'

/** Shown while there is nothing else to show. */
export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  )
}

/** Shown instead of data that could not be loaded. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  const problems = error instanceof ApiError ? Object.entries(error.fields) : []
  return (
    <div class="failure" role="alert">
      <p>{messageOf(error)}</p>
      {problems.map(([name, problem]) => (
        <p key={name}>{problem}</p>
      ))}
      {requestId !== null && (
        <p class="soft">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The message for a person about a failure. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return `Something went wrong on this page: ${error instanceof Error ? error.message : String(error)}`
}

/** Shown where a list or table has nothing. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
