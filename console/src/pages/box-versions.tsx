import { useLocation } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { List, Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { differencesOf, none } from '../boxes/differences.ts'
import type { Difference } from '../boxes/differences.ts'

type BoxPath = { casino_id: string; box_id: string }

/** The changes of the shown version against another one, and the list of all versions. */
export function BoxVersions({ path, shown }: { path: BoxPath; shown: Schemas['Box'] }) {
  const { query } = useLocation()
  const other = /^\d{1,9}$/.test(query['with'] ?? '') ? Number(query['with']) : shown.version - 1
  const page = casinoPath(path.casino_id, `/boxes/${encodeURIComponent(path.box_id)}`)
  const columns: Column<Schemas['BoxSummary']>[] = [
    {
      name: 'Version',
      render: ({ version }) => <a href={`${page}?version=${String(version)}`}>{version}</a>,
    },
    { name: 'Published', render: (box) => <Time at={box.published_at} /> },
    { name: 'Name', render: ({ name }) => <Given text={name} /> },
    {
      name: 'Compare',
      render: ({ version }) =>
        version === shown.version ? (
          <span class="soft">shown</span>
        ) : (
          <a href={`${page}?version=${String(shown.version)}&with=${String(version)}`}>
            with version {version}
          </a>
        ),
    },
  ]
  return (
    <>
      {other >= 1 && other !== shown.version && <Differences path={path} shown={shown} other={other} />}
      <Section title="Versions">
        {shown.version === 1 && <p>This is the first version.</p>}
        <List
          caption="Versions"
          columns={columns}
          keyOf={({ version }) => String(version)}
          listKey={`versions ${path.casino_id} ${path.box_id}`}
          load={(cursor, signal) =>
            answered(
              api.GET('/admin/casinos/{casino_id}/boxes/{box_id}/versions', {
                params: { path, query: cursor === undefined ? {} : { cursor } },
                signal,
              }),
            )
          }
          empty="The box has no versions."
        />
      </Section>
    </>
  )
}

function Differences({ path, shown, other }: { path: BoxPath; shown: Schemas['Box']; other: number }) {
  const { value, error, reload } = useQuery(
    `version ${path.casino_id} ${path.box_id} ${String(other)}`,
    async (signal) => {
      const params = { path, query: { version: other } }
      return (await answered(api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', { params, signal }))).data
    },
  )
  if (value === undefined)
    return error === undefined ? (
      <Loading what="the other version" />
    ) : (
      <Failure error={error} retry={reload} />
    )
  const [from, to] = other < shown.version ? [value, shown] : [shown, value]
  return (
    <Section title={`What version ${String(to.version)} changed against version ${String(from.version)}`}>
      <DifferenceTable differences={differencesOf(from, to)} />
    </Section>
  )
}

/** Two descriptions of a box beside each other. */
export function DifferenceTable({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <Empty>Nothing differs.</Empty>
  return (
    <Table caption="Differences" columns={differenceColumns} rows={differences} keyOf={({ what }) => what} />
  )
}

const differenceColumns: Column<Difference>[] = [
  { name: 'What', render: ({ what }) => <Given text={what} /> },
  { name: 'Before', render: ({ before, isTime }) => <Value text={before} isTime={isTime} /> },
  { name: 'After', render: ({ after, isTime }) => <Value text={after} isTime={isTime} /> },
]

function Value({ text, isTime }: { text: string; isTime: true | undefined }) {
  return isTime === true && text !== none ? <Time at={text} /> : <Given text={text} />
}
