import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** The state of loaded data: the last answer stays while the next one is awaited. */
export interface Query<Value> {
  value: Value | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

/**
 * Loads when `key` changes and on `reload`, and every `pollMs` while the page can be seen. Answers that come late for an
 * older key are dropped.
 */
export function useQuery<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  { pollMs }: { pollMs?: number } = {},
): Query<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: unknown; isLoading: boolean }>({
    key,
    isLoading: true,
  })
  const [round, setRound] = useState(0)
  const newestLoad = useRef(load)
  newestLoad.current = load
  const reload = useCallback(() => {
    setRound((before) => before + 1)
  }, [])

  useEffect(() => {
    const abort = new AbortController()
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }))
    newestLoad.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ key, value, isLoading: false })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, key, error, isLoading: false }))
      },
    )
    return () => {
      abort.abort()
    }
  }, [key, round])

  useEffect(() => {
    if (pollMs === undefined) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, pollMs)
    const onShown = () => {
      if (!document.hidden) reload()
    }
    document.addEventListener('visibilitychange', onShown)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [pollMs, reload])

  const isCurrent = state.key === key
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  }
}
