import { useLocation } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath, pathTo } from '../place.ts'
import { Page } from '../ui/page.tsx'
import { rangeOfId } from '../ui/range.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, GivenName, State, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Found = Schemas['SearchResult']

/** The columns of the results of a search for this text. */
const columnsOf = (text: string): Column<Found>[] => [
  {
    name: 'Found',
    render: (found) => {
      const page = pageOf(found, text)
      return page === undefined ? (
        <Given text={found.id} />
      ) : (
        <a href={page}>{<GivenName text={found.id} />}</a>
      )
    },
  },
  { name: 'What it is', render: ({ type }) => wordsOf(type) },
  { name: 'Casino', render: ({ casino_id: id }) => (id === null ? '–' : <Given text={id} />) },
  { name: 'Name', render: ({ label }) => <Given text={label} /> },
  { name: 'State', render: ({ state }) => (state === null ? '–' : <State state={state} />) },
  { name: 'By its', render: ({ matched }) => wordsOf(matched) },
]

/** The objects with the id or reference that was searched for. */
export function Search() {
  const { query } = useLocation()
  const text = query['q'] ?? ''
  const { value, error, reload } = useQuery(`search ${text}`, async (signal) => {
    if (text === '') return { results: [], is_partial: false }
    return (await answered(api.GET('/admin/search', { params: { query: { q: text } }, signal }))).data
  })
  return (
    <Page title={text === '' ? 'Search' : `Search for ${text}`}>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {value === undefined ? (
        error === undefined && <Loading what="what was found" />
      ) : text === '' ? (
        <Empty>Write an id, a tracking number or a reference into the field above.</Empty>
      ) : value.results.length === 0 ? (
        <Empty>
          Nothing has exactly this id or reference. Names, addresses and parts of ids cannot be searched for.
          Casinos can be found by the beginning of their id or name:{' '}
          <a href={pathTo(`/casinos?${new URLSearchParams({ starts_with: text }).toString()}`)}>
            look for casinos
          </a>
          .
        </Empty>
      ) : (
        <>
          <Table
            caption="What was found"
            columns={columnsOf(text)}
            rows={value.results}
            keyOf={(found) =>
              [found.type, found.casino_id, found.id, found.matched, found.entry_id].join(' ')
            }
          />
          {value.is_partial && <p role="status">There is more than is shown.</p>}
        </>
      )}
    </Page>
  )
}

/** The page of an object that a text was found by; undefined if it has no page. */
function pageOf(
  { type, id, casino_id: casinoId, prize_id: prizeId, entry_id: entryId }: Found,
  text: string,
): string | undefined {
  const encoded = encodeURIComponent(id)
  if (casinoId === null) return pageOfService({ type, id, entry_id: entryId })
  switch (type) {
    case 'prize':
      return casinoPath(casinoId, `/prizes/${encoded}`)
    case 'order':
      return casinoPath(casinoId, `/orders/${encoded}`)
    case 'cashback':
      return casinoPath(casinoId, `/cashbacks/${encoded}`)
    case 'player':
      return casinoPath(casinoId, `/players/${encoded}`)
    case 'act':
      return casinoPath(casinoId, `/acts/${encoded}`)
    case 'endpoint':
      return casinoPath(casinoId, `/webhooks/${encoded}${deliveryFilter(id, text)}`)
    case 'box':
      return casinoPath(casinoId, `/boxes/${encoded}`)
    case 'item':
      return casinoPath(casinoId, `/items/${encoded}`)
    case 'api_key':
      return casinoPath(casinoId, '/keys')
    case 'grant':
      return casinoPath(casinoId, `/grants?grant_id=${encoded}`)
    case 'request':
      return casinoPath(casinoId, `/audit/${encodeURIComponent(entryId ?? '')}`)
    case 'seed':
      return casinoPath(casinoId, `/seeds/${encoded}`)
    case 'casino':
      return casinoPath(casinoId)
    default:
      return prizeId === null ? undefined : casinoPath(casinoId, `/prizes/${encodeURIComponent(prizeId)}`)
  }
}

/** The page of an object that belongs to no casino. Processes are below the work list. */
function pageOfService({ type, id, entry_id: entryId }: Pick<Found, 'type' | 'id' | 'entry_id'>): string {
  switch (type) {
    case 'operator':
      return pathTo(`/operators/${encodeURIComponent(id)}`)
    case 'process':
      return pathTo('/')
    default:
      return pathTo(`/audit/${encodeURIComponent(entryId ?? '')}`)
  }
}

/** Narrows the deliveries of an endpoint down to the time of one that was searched for. */
function deliveryFilter(endpointId: string, text: string): string {
  if (text === endpointId || !/^dlv_[0-9a-f]{12}/.test(text)) return ''
  return `?${new URLSearchParams({ ...rangeOfId(text) }).toString()}`
}
