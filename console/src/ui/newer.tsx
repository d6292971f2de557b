import type { ComponentChildren } from 'preact'

/** The current state of a form's object: another person has changed it since the form was opened. */
export function Newer({ children }: { children: ComponentChildren }) {
  return (
    <section class="card" aria-label="How it is now">
      <p>Somebody has changed it. This is how it is now; saving replaces it.</p>
      {children}
    </section>
  )
}
