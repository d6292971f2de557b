import type { GrantPage } from './grant-pages.ts'

/** The result of one request. */
export type PageOutcome =
  | { kind: 'done'; added: number; known: number }
  /** The service is busy: try the same again after so long. */
  | { kind: 'busy'; seconds: number }

export interface Progress {
  pagesDone: number
  /** Grants that were made, and that were there before. */
  added: number
  known: number
}

export const nothingSent: Progress = { pagesDone: 0, added: 0, known: 0 }

/** The same page is tried so often before a person is asked. */
const triesMax = 10

/**
 * Sends one page after the other, from where an earlier attempt has ended. Throws the errors of `send`, and if the
 * service stays busy; the pages sent until then have been reported.
 */
export async function sendPages(
  pages: readonly GrantPage[],
  before: Progress,
  {
    send,
    wait,
    report,
    signal,
  }: {
    send: (page: GrantPage) => Promise<PageOutcome>
    wait: (seconds: number) => Promise<void>
    report: (progress: Progress) => void
    signal: AbortSignal
  },
): Promise<'all' | 'stopped'> {
  let progress = before
  for (const page of pages.slice(before.pagesDone)) {
    let outcome: PageOutcome | undefined
    for (let tries = 0; outcome?.kind !== 'done'; tries++) {
      if (signal.aborted) return 'stopped'
      if (tries === triesMax) throw new Error('The service stays busy: try to continue later.')
      outcome = await send(page)
      if (outcome.kind === 'busy') await wait(outcome.seconds)
    }
    progress = {
      pagesDone: progress.pagesDone + 1,
      added: progress.added + outcome.added,
      known: progress.known + outcome.known,
    }
    report(progress)
  }
  return 'all'
}
