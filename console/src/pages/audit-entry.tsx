import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath, pathTo } from '../place.ts'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Given, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import type { Query } from '../use-query.ts'

type Entry = Schemas['AuditEntryDetails']

/** An entry of a casino's audit trail. */
export function AuditEntryPage() {
  const { casinoId = '', entryId = '' } = useRoute().params
  const path = { casino_id: casinoId, entry_id: entryId }
  const query = useQuery(`audit entry ${casinoId} ${entryId}`, async (signal) => {
    const root = '/admin/casinos/{casino_id}/audit/{entry_id}' as const
    return (await answered(api.GET(root, { params: { path }, signal }))).data
  })
  return (
    <EntryPage query={query} entryId={entryId} list={casinoPath(casinoId, '/audit')} label="Audit trail" />
  )
}

/** An entry of the audit trail of the service. */
export function ServiceAuditEntryPage() {
  const { serviceEntryId: entryId = '' } = useRoute().params
  const path = { entry_id: entryId }
  const query = useQuery(
    `audit entry of the service ${entryId}`,
    async (signal) => (await answered(api.GET('/admin/audit/{entry_id}', { params: { path }, signal }))).data,
  )
  return (
    <EntryPage query={query} entryId={entryId} list={pathTo('/audit')} label="Audit trail of the service" />
  )
}

function EntryPage({
  query,
  entryId,
  list,
  label,
}: {
  query: Query<Entry>
  entryId: string
  /** The path of its trail. */
  list: string
  label: string
}) {
  return (
    <ObjectPage
      query={query}
      what="the entry"
      untitled={entryId}
      titleOf={({ action }) => action}
      trail={[{ href: list, label }]}
    >
      {(entry) => (
        <>
          <Section title="The entry">
            <Facts facts={factsOf(entry)} />
          </Section>
          <Section title="In the chain">
            <Facts facts={chainFactsOf(entry, list)} />
          </Section>
        </>
      )}
    </ObjectPage>
  )
}

function factsOf(entry: Entry) {
  const { address, reason, request_id: requestId } = entry
  return [
    ['Id', <Given key="id" text={entry.id} />],
    ['When', <Time key="at" at={entry.at} />],
    ['Who', <Given key="who" text={entry.actor} />],
    ['From', address === null ? '–' : <Given key="from" text={address} />],
    ['What', <code key="what">{entry.action}</code>],
    ...Object.entries(entry.params).map(([name, text]) => [name, <Given key={name} text={text} />] as const),
    ['Why', reason === null ? '–' : <Given key="why" text={reason} />],
    ['Outcome', <Given key="outcome" text={entry.outcome} />],
    [
      'Request',
      <a key="request" href={pathTo(`/search?q=${encodeURIComponent(requestId)}`)}>
        <Given text={requestId} />
      </a>,
    ],
  ] as const
}

function chainFactsOf({ sequence, hash, previous, next }: Entry, list: string) {
  if (sequence === null || hash === null)
    return [['Place', 'not chained yet: a worker does it within seconds']] as const
  return [
    ['Place', String(sequence)],
    ['Hash', <Given key="hash" text={hash} />],
    [
      'Before it',
      <Neighbour key="previous" entry={previous} list={list} none="none: it is the first entry" />,
    ],
    ['After it', <Neighbour key="next" entry={next} list={list} none="none yet" />],
  ] as const
}

function Neighbour({ entry, list, none }: { entry: Entry['next']; list: string; none: string }) {
  if (entry === null) return <>{none}</>
  return (
    <>
      <a href={`${list}/${encodeURIComponent(entry.id)}`}>
        <Given text={entry.id} />
      </a>{' '}
      <span class="soft">
        hash <Given text={entry.hash} />
      </span>
    </>
  )
}
