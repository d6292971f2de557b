import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
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
  const { value, error, reload } = useQuery(
    `box ${casinoId} ${boxId} ${String(wanted ?? '')}`,
    async (signal) => {
      const version = wanted === undefined ? {} : { version: wanted }
      const answer = await answered(
        api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', { params: { path, query: version }, signal }),
      )
      return answer.data
    },
  )
  if (value === undefined)
    return error === undefined ? <Loading what="the box" /> : <Failure error={error} retry={reload} />
  return (
    <Page
      title={value.name}
      trail={[{ href: casinoPath(casinoId, '/boxes'), label: 'Boxes' }]}
      aside={<State state={value.enabled ? 'enabled' : 'disabled'} />}
    >
      <Section
        title={`Version ${String(value.version)}`}
        aside={<Change path={path} box={value} onDone={reload} />}
      >
        {wanted !== undefined && (
          <p>
            <a href={casinoPath(casinoId, `/boxes/${encodeURIComponent(boxId)}`)}>
              Go to the current version
            </a>
          </p>
        )}
        <Facts
          facts={[
            ['Box', <Id key="box" id={value.box_id} />],
            ['Description', value.description === null ? '–' : <Given text={value.description} />],
            ['Opened by', accessOf(value)],
            ['Open from', <Time key="from" at={value.active_from} />],
            ['Open until', <Time key="until" at={value.active_until} />],
            ['Fallback', value.fallback_item_id === null ? 'none' : <Given text={value.fallback_item_id} />],
            ['Published', <Time key="published" at={value.published_at} />],
            ['Hash of the odds', <Id key="hash" id={value.odds_hash} />],
          ]}
        />
      </Section>
      <Section title="Odds, and what was drawn">
        <BoxStatistics path={path} version={value.version} />
      </Section>
      <BoxVersions path={path} shown={value} />
    </Page>
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
              api.POST(`/admin/casinos/{casino_id}/boxes/{box_id}/${change}` as const, { params }),
            )
            onDone()
          }}
        />
      )}
    </div>
  )
}
