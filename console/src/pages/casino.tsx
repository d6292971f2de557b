import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath, pathTo } from '../place.ts'
import { useSession } from '../session.tsx'
import { SettingSection } from '../settings/setting-section.tsx'
import { Field } from '../ui/form.tsx'
import { Newer } from '../ui/newer.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Given, Id, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { useSeen } from '../use-seen.ts'

/** A casino and its settings. */
export function CasinoPage() {
  const { casinoId = '' } = useRoute().params
  const path = { casino_id: casinoId }
  const query = useQuery(`casino ${casinoId}`, async (signal) => {
    const [casino, settings] = await Promise.all([
      answered(api.GET('/admin/casinos/{casino_id}', { params: { path }, signal })),
      answered(api.GET('/admin/casinos/{casino_id}/settings', { params: { path }, signal })),
    ])
    return { casino: casino.data, settings: settings.data }
  })
  return (
    <ObjectPage
      query={query}
      what="the casino"
      untitled={`Casino ${casinoId}`}
      titleOf={({ casino }) => casino.name}
      trail={[{ href: pathTo('/casinos'), label: 'Casinos' }]}
    >
      {({ casino, settings }) => (
        <>
          <AboutCasino casino={casino} onDone={query.reload} />
          {settings.map((setting) => (
            <SettingSection
              key={`${casinoId} ${setting.name}`}
              casinoId={casinoId}
              setting={setting}
              onSaved={query.reload}
            />
          ))}
        </>
      )}
    </ObjectPage>
  )
}

function AboutCasino({ casino, onDone }: { casino: Schemas['Casino']; onDone: () => void }) {
  const { may, reload } = useSession()
  const [isRenaming, setRenaming] = useState(false)
  const { sandbox_of: owner } = casino
  return (
    <Section
      title="About the casino"
      aside={
        may('admin') && (
          <button
            type="button"
            onClick={() => {
              setRenaming(true)
            }}
          >
            Rename
          </button>
        )
      }
    >
      <Facts
        facts={[
          ['Id', <Id key="id" id={casino.casino_id} />],
          ...(owner === null
            ? []
            : ([
                [
                  'Sandbox of',
                  <a key="owner" href={casinoPath(owner)}>
                    <bdi>{owner}</bdi>
                  </a>,
                ],
              ] as const)),
          ['Made', <Time key="made" at={casino.created_at} />],
          ['Changed', <Time key="changed" at={casino.updated_at} />],
        ]}
      />
      {isRenaming && (
        <RenameCasino
          casino={casino}
          onClose={() => {
            setRenaming(false)
          }}
          onDone={() => {
            onDone()
            reload()
          }}
        />
      )}
    </Section>
  )
}

function RenameCasino({
  casino,
  onClose,
  onDone,
}: {
  casino: Schemas['Casino']
  onClose: () => void
  onDone: () => void
}) {
  const path = { casino_id: casino.casino_id }
  const { first, newer, unlessChanged } = useSeen(casino)
  return (
    <ReasonDialog
      title="Rename the casino"
      button="Rename"
      text="Operators see the new name. The id stays."
      fields={(problemOf) => (
        <>
          {newer !== undefined && (
            <Newer>
              <Facts facts={[['Name', <Given key="name" text={newer.name} />]]} />
            </Newer>
          )}
          <Field name="name" label="Name" value={first.name} problem={problemOf('name')} isRequired />
        </>
      )}
      onClose={onClose}
      onSubmit={async (header, { name = '' }) => {
        const root = '/admin/casinos/{casino_id}' as const
        await unlessChanged(
          (expected_revision) =>
            answered(api.PUT(root, { params: { path, header }, body: { name, expected_revision } })),
          async () => (await answered(api.GET(root, { params: { path } }))).data,
        )
        onDone()
      }}
    />
  )
}
