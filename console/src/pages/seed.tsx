import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import { casinoPath } from '../place.ts'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Given, State, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** A seed that outcomes of a casino are derived from. */
export function SeedPage() {
  const { casinoId = '', seedId = '' } = useRoute().params
  const path = { casino_id: casinoId, seed_id: seedId }
  const query = useQuery(`seed ${casinoId} ${seedId}`, async (signal) => {
    const root = '/admin/casinos/{casino_id}/fairness/seeds/{seed_id}' as const
    return (await answered(api.GET(root, { params: { path }, signal }))).data
  })
  return (
    <ObjectPage
      query={query}
      what="the seed"
      untitled={seedId}
      titleOf={({ id }) => id}
      asideOf={({ state }) => <State state={state} />}
      trail={[{ href: casinoPath(casinoId), label: casinoId }]}
    >
      {(seed) => (
        <Section title="Fairness">
          <Facts
            facts={[
              ['Commitment', <Given key="commitment" text={seed.commitment} />],
              ['Seed', seed.seed === null ? 'not revealed yet' : <Given key="seed" text={seed.seed} />],
              ['Scheme', seed.scheme],
              ['Made', <Time key="made" at={seed.created_at} />],
              ['In use since', <Time key="activated" at={seed.activated_at} />],
              ['Replaced', <Time key="retired" at={seed.retired_at} />],
              ['Revealed by', <Time key="by" at={seed.reveal_by} />],
              ['Revealed', <Time key="revealed" at={seed.revealed_at} />],
            ]}
          />
        </Section>
      )}
    </ObjectPage>
  )
}
