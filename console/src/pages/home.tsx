import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'

/** What waits for a person. */
export function Home() {
  const { casinos } = useSession()
  return (
    <Page title="Work list">
      <Section title="Casinos">
        {casinos.length === 0 ? (
          <Empty>There are no casinos yet.</Empty>
        ) : (
          <ul>
            {casinos.map(({ casino_id: id, name }) => (
              <li key={id}>
                <a href={casinoPath(id, '/orders')}>
                  <bdi>{name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  )
}
