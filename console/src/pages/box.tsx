import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Given, Id, State, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { BoxStatistics } from './box-statistics.tsx'
import { BoxVersions } from './box-versions.tsx'
import { accessOf } from './boxes.tsx'

/** One box: its current version or an earlier one, its draws, and the changes between its versions. */
export function BoxPage() {
  const { casinoId = '', boxId = '' } = useRoute().params
  const { query } = useLocation()
  const wanted = /^\d{1,9}$/.test(query['version'] ?? '') ? Number(query['version']) : undefined
  const path = { casino_id: casinoId, box_id: boxId }
  const loaded = useQuery(`box ${casinoId} ${boxId} ${String(wanted ?? '')}`, async (signal) => {
    const version = wanted === undefined ? {} : { version: wanted }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', { params: { path, query: version }, signal }),
    )
    return answer.data
  })
  return (
    <ObjectPage
      query={loaded}
      what="the box"
      untitled={`Box ${boxId}`}
      titleOf={({ name }) => name}
      asideOf={({ enabled }) => <State state={enabled ? 'enabled' : 'disabled'} />}
      trail={[{ href: casinoPath(casinoId, '/boxes'), label: 'Boxes' }]}
    >
      {(box) => <AboutBox path={path} box={box} isWanted={wanted !== undefined} onDone={loaded.reload} />}
    </ObjectPage>
  )
}

function AboutBox({
  path,
  box,
  isWanted,
  onDone,
}: {
  path: { casino_id: string; box_id: string }
  box: Schemas['Box']
  /** Whether the address asks for this version, which may be an earlier one. */
  isWanted: boolean
  onDone: () => void
}) {
  return (
    <>
      <Section
        title={`Version ${String(box.version)}`}
        aside={<Change path={path} box={box} onDone={onDone} />}
      >
        {isWanted && (
          <p>
            <a href={casinoPath(path.casino_id, `/boxes/${encodeURIComponent(path.box_id)}`)}>
              Go to the current version
            </a>
          </p>
        )}
        <Facts
          facts={[
            ['Box', <Id key="box" id={box.box_id} />],
            ['Description', box.description === null ? '–' : <Given text={box.description} />],
            ['Opened by', accessOf(box)],
            ['Open from', <Time key="from" at={box.active_from} />],
            ['Open until', <Time key="until" at={box.active_until} />],
            ['Fallback', box.fallback_item_id === null ? 'none' : <Given text={box.fallback_item_id} />],
            ['Published', <Time key="published" at={box.published_at} />],
            ['Hash of the odds', <Id key="hash" id={box.odds_hash} />],
          ]}
        />
      </Section>
      <Section title="Odds, and what was drawn">
        <BoxStatistics path={path} version={box.version} />
      </Section>
      <BoxVersions path={path} shown={box} />
    </>
  )
}

/** Switching the box on and off, and the way to its editor. */
function Change({
  path,
  box,
  onDone,
}: {
  path: { casino_id: string; box_id: string }
  box: Schemas['Box']
  onDone: () => void
}) {
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  /** The box when the dialog was opened. */
  const [seen, setSeen] = useState(box)
  if (!may('admin')) return null
  const change = box.enabled ? 'disable' : 'enable'
  const label = box.enabled ? 'Disable' : 'Enable'
  return (
    <div class="row">
      <a class="button" href={casinoPath(path.casino_id, `/boxes/${encodeURIComponent(path.box_id)}/edit`)}>
        Edit
      </a>
      <button
        type="button"
        onClick={() => {
          setSeen(box)
          setAsking(true)
        }}
      >
        {label}
      </button>
      {isAsking && (
        <ReasonDialog
          title={`${label} the box`}
          button={label}
          text={
            box.enabled
              ? 'Nobody can open it until it is enabled again. Prizes that were won stay.'
              : 'Players can open it again, within its terms.'
          }
          onClose={() => {
            setAsking(false)
          }}
          onSubmit={async (header) => {
            const params = { path, header }
            await answered(
              api.POST(`/admin/casinos/{casino_id}/boxes/{box_id}/${change}` as const, {
                params,
                body: { expected_revision: seen.revision, expected_version: seen.version },
              }),
            )
            onDone()
          }}
        />
      )}
    </div>
  )
}
