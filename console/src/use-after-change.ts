import { useEffect, useRef } from 'preact/hooks'

/** Runs when the value is another one than the last that was known. */
export function useAfterChange(value: unknown, run: () => void): void {
  const before = useRef(value)
  useEffect(() => {
    if (value === undefined || before.current === value) return
    const isFirst = before.current === undefined
    before.current = value
    if (!isFirst) run()
  }, [value, run])
}
