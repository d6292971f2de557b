import { Component } from 'preact'
import type { ComponentChildren } from 'preact'
import { pathTo } from '../place.ts'
import { Page } from './page.tsx'
import { Failure } from './states.tsx'

interface Props {
  /** The path of the shown page: with another one, it is tried again. */
  path: string
  children: ComponentChildren
}

interface State {
  path?: string
  error?: unknown
}

/** Shows a message in place of a page that fails, such as one whose address cannot be read. The menu stays usable. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {}

  static override getDerivedStateFromProps({ path }: Props, state: State): State | null {
    return state.path === path ? null : { path, error: undefined }
  }

  static override getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render({ children }: Props, { error }: State) {
    if (error === undefined) return children
    const retry = () => {
      this.setState({ error: undefined })
    }
    return (
      <Page title="This page cannot be shown">
        <Failure error={isUnreadable(error) ? new Error('its address is malformed') : error} retry={retry} />
        <p>
          Search for an id above, or go to the <a href={pathTo('/')}>work list</a>.
        </p>
      </Page>
    )
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof URIError
}
