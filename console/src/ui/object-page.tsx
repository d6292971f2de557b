import type { ComponentChildren } from 'preact'
import type { Query } from '../use-query.ts'
import { Page } from './page.tsx'
import type { PageProps } from './page.tsx'
import { Failure, Loading } from './states.tsx'

/**
 * A page about an object that is loaded first. It has a heading, and the window a title, in each state: while the object
 * is loading and when it cannot be loaded, `untitled` names it by its id.
 */
export function ObjectPage<Value>({
  query: { value, error, reload },
  what,
  untitled,
  titleOf,
  asideOf,
  trail = [],
  children,
}: {
  query: Query<Value>
  /** The object in a sentence, such as "the order". */
  what: string
  untitled: string
  titleOf: (value: Value) => string
  asideOf?: (value: Value) => ComponentChildren
  trail?: PageProps['trail']
  children: (value: Value) => ComponentChildren
}) {
  return (
    <Page
      title={value === undefined ? untitled : titleOf(value)}
      aside={value !== undefined && asideOf?.(value)}
      trail={trail}
    >
      {error !== undefined && <Failure error={error} retry={reload} />}
      {value !== undefined ? children(value) : error === undefined && <Loading what={what} />}
    </Page>
  )
}
