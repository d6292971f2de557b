import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { pathTo } from '../place.ts'

/** Finds any id; the key `/` goes to it from everywhere. */
export function SearchBox() {
  const { query, route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping =
        target instanceof HTMLElement &&
        (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <form
      class="search"
      role="search"
      aria-label="All objects"
      onSubmit={(event) => {
        event.preventDefault()
        const text = input.current?.value.trim() ?? ''
        if (text !== '') route(`${pathTo('/search')}?q=${encodeURIComponent(text)}`)
      }}
    >
      <input
        ref={input}
        type="search"
        name="q"
        aria-label="Search by id, player, tracking number or reference"
        placeholder="Search by id, player, tracking number…"
        defaultValue={query['q'] ?? ''}
        autocomplete="off"
        spellcheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  )
}
