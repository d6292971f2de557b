import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** The state of loaded data: the last answer stays while the next one is awaited. */
export interface Query<Value> {
  value: Value | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

/** How data is loaded again by itself. */
export interface Polling<Value> {
  /** How long after each answer. */
  pollMs: number
  /** With it, the pause doubles up to this while the answers stay the same. */
  pollMsMax?: number
  /** Whether nothing changes by itself any more: then only a person's return to the page loads it again. */
  isAtRest?: (value: Value) => boolean
}

interface State<Value> {
  key: string
  value?: Value
  error?: unknown
  isLoading: boolean
  /** How many polls in a row have brought nothing new. */
  idlePolls: number
}

/**
 * Loads when `key` changes and on `reload`, and polls while the page can be seen. Answers that come late for an older key
 * are dropped. A value that was loaded again and is the same stays the same object.
 */
export function useQuery<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  polling?: Polling<Value>,
): Query<Value> {
  const [state, setState] = useState<State<Value>>({ key, isLoading: true, idlePolls: 0 })
  const [round, setRound] = useState({ count: 0, isPoll: false })
  const newestLoad = useRef(load)
  newestLoad.current = load
  const loadAgain = useCallback((isPoll: boolean) => {
    setRound(({ count }) => ({ count: count + 1, isPoll }))
  }, [])
  const reload = useCallback(() => {
    loadAgain(false)
  }, [loadAgain])

  useEffect(() => {
    const abort = new AbortController()
    setState((before) =>
      before.key === key ? { ...before, isLoading: true } : { key, isLoading: true, idlePolls: 0 },
    )
    const idlePollsAfter = (before: State<Value>) => (round.isPoll ? before.idlePolls + 1 : 0)
    newestLoad.current(abort.signal).then(
      (value) => {
        if (abort.signal.aborted) return
        setState((before) =>
          isSame(before.value, value)
            ? { key, value: before.value as Value, isLoading: false, idlePolls: idlePollsAfter(before) }
            : { key, value, isLoading: false, idlePolls: 0 },
        )
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        setState((before) => ({ ...before, key, error, isLoading: false, idlePolls: idlePollsAfter(before) }))
      },
    )
    return () => {
      abort.abort()
    }
  }, [key, round])

  const isCurrent = state.key === key
  const isLoading = !isCurrent || state.isLoading
  usePolling(pauseAfter(state, polling), isLoading, loadAgain)
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading,
    reload,
  }
}

/** Polls after the pause, if the page can be seen then, and when the person returns to it. */
function usePolling(
  pauseMs: number | undefined,
  isLoading: boolean,
  loadAgain: (isPoll: boolean) => void,
): void {
  useEffect(() => {
    if (pauseMs === undefined || isLoading) return
    const timer = setTimeout(() => {
      if (!document.hidden) loadAgain(true)
    }, pauseMs)
    const onShown = () => {
      if (!document.hidden) loadAgain(false)
    }
    document.addEventListener('visibilitychange', onShown)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [pauseMs, isLoading, loadAgain])
}

/** Undefined where nothing polls. Longer than any page is open where the object is at rest. */
function pauseAfter<Value>(
  { value, idlePolls }: State<Value>,
  polling: Polling<Value> | undefined,
): number | undefined {
  if (polling === undefined) return undefined
  const { pollMs, pollMsMax = pollMs, isAtRest } = polling
  if (value !== undefined && isAtRest?.(value) === true) return atRestMs
  return Math.min(pollMsMax, pollMs * 2 ** Math.min(idlePolls, doublingsMax))
}

/** The longest pause of a timer in browsers: 24 days. */
const atRestMs = 2 ** 31 - 1
const doublingsMax = 10

/** Whether two answers of the API say the same. */
function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}
