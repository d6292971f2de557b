import { Page } from '../ui/page.tsx'
import { pathTo } from '../place.ts'

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        Search for an id above, or go to the <a href={pathTo('/')}>work list</a>.
      </p>
    </Page>
  )
}
