import type { ComponentChildren } from 'preact'
import { Id } from './values.tsx'

/** A secret that only this answer of the service has. It is gone when the page is left. */
export function ShownOnce({ text, secret }: { text: ComponentChildren; secret: string }) {
  return (
    <section class="card" aria-label="Shown once" role="status">
      <p>{text} It is shown this once: copy it now.</p>
      <Id id={secret} />
    </section>
  )
}
