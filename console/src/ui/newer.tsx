import type { ComponentChildren } from 'preact'

/** How an object is now that a form is about: somebody else has changed it since the form was opened. */
export function Newer({ children }: { children: ComponentChildren }) {
  return (
    <section class="card" aria-label="How it is now">
      <p>Somebody has changed it. This is how it is now; saving replaces it.</p>
      {children}
    </section>
  )
}
