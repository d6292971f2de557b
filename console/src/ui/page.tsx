import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface PageProps {
  title: string
  /** Beside the title: states, buttons. */
  aside?: ComponentChildren
  /** Links up to what the page belongs to. */
  trail?: readonly { href: string; label: string }[] | undefined
  children: ComponentChildren
}

/** A page: its title is the window's too, and gets the focus when the page is gone to, so that readers hear it. */
export function Page({ title, aside, trail = [], children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { path } = useLocation()
  // Title and heading change together: an effect would leave the last page's title until the next frame.
  useLayoutEffect(() => {
    document.title = `${title} – Casino rewards`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <>
      {trail.length > 0 && (
        <nav class="trail" aria-label="Where this page belongs">
          {trail.map(({ href, label }) => (
            <a key={href} href={href}>
              <bdi>{label}</bdi>
            </a>
          ))}
        </nav>
      )}
      <header class="title">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {aside}
      </header>
      {children}
    </>
  )
}

/** A part of a page under a heading of its own. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Names and values of one object. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
