import { useLayoutEffect, useRef } from 'preact/hooks'

/** Shows the dialog over the page, and gives the focus back when the dialog goes. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      // The browser gives the focus back when a dialog is closed, not when it is removed. The cleanup of a layout effect
      // runs while it is still there.
      shown?.close()
      followFocus()
    }
  }, [])
  return dialog
}

/**
 * The button that opened the dialog goes away when the action has made itself impossible. Then the focus goes to the
 * heading of the page, instead of to the beginning of the document.
 */
function followFocus(): void {
  const opener = document.activeElement
  if (opener === null) return
  const watch = new MutationObserver(() => {
    if (opener.isConnected && document.activeElement === opener) return
    watch.disconnect()
    if (!opener.isConnected && document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true })
  })
  watch.observe(document.body, { childList: true, subtree: true })
}
