import { useLocation } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath, pathTo } from '../place.ts'
import { useSession } from '../session.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Filters, Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { ServiceState } from './service-state.tsx'

type WorkLine = Schemas['WorkLine']

/** The title of each kind of work, the task, and the list that shows it; null for a kind that has no page yet. */
const kinds: Readonly<Record<WorkLine['kind'], { title: string; todo: string; list: string | null }>> = {
  order_unconfirmed: {
    title: 'Orders to confirm',
    todo: 'Check the order, then confirm or reject it.',
    list: '/orders?state=pending_confirmation',
  },
  order_held: {
    title: 'Held orders',
    todo: 'Clear up why each is held, then release or cancel it.',
    list: '/orders?held=true',
  },
  order_exception: {
    title: 'Parcels that did not arrive',
    todo: 'Ask the carrier or provider, then send again, mark as delivered or cancel.',
    list: '/orders?state=exception',
  },
  order_cancel_requested: {
    title: 'Cancellations without an answer',
    todo: 'Ask the provider whether the parcel was stopped.',
    list: '/orders?state=cancel_requested',
  },
  cashback_unknown: {
    title: 'Cashbacks whose outcome is unknown',
    todo: 'The wallet is asked again by itself; see whether it answers.',
    list: '/cashbacks?state=unknown',
  },
  cashback_manual_review: {
    title: 'Cashbacks to review',
    todo: 'Look the transaction up in the wallet, then resolve the cashback.',
    list: '/cashbacks?state=manual_review',
  },
  cashback_reversal_unknown: {
    title: 'Reversals whose outcome is unknown',
    todo: 'The wallet is asked again by itself; see whether it answers.',
    list: '/cashbacks?state=reversal_unknown',
  },
  cashback_reversal_review: {
    title: 'Reversals to review',
    todo: 'Look the transaction up in the wallet, then resolve the reversal.',
    list: '/cashbacks?state=reversal_review',
  },
  setting_paused: {
    title: 'Paused partners',
    todo: 'Correct the partner’s address or secret, test it, then resume.',
    list: '/partners',
  },
  endpoint_failing: {
    title: 'Webhook endpoints that fail',
    todo: 'Tell the casino; enable the endpoint again when it answers.',
    list: '/webhooks',
  },
  act_pending_approval: {
    title: 'Proposals that wait for a second person',
    todo: 'Look at the proposal, then approve or decline it.',
    list: '/acts?state=pending_approval',
  },
  job_failed: {
    title: 'Jobs that failed permanently',
    todo: 'Look at the error in the queues.',
    list: null,
  },
}

const pollMs = 15_000

/** The work that waits for a person, the oldest first. */
export function Home() {
  const { query } = useLocation()
  const { known, isOfAllCasinos } = useSession()
  const { casinos, isPartial } = known
  const casinoId = query['casino_id']
  const { value, error, reload } = useQuery(
    `work ${casinoId ?? ''}`,
    async (signal) => {
      const params = { query: casinoId === undefined ? {} : { casino_id: casinoId } }
      return (await answered(api.GET('/admin/work', { params, signal }))).data
    },
    { pollMs },
  )
  const columns: Column<WorkLine>[] = [
    { name: 'Waits', render: (line) => <WorkLink line={line} /> },
    {
      name: 'Casino',
      render: ({ casino_id: id }) =>
        id === null ? 'all' : <bdi>{casinos.find((casino) => casino.casino_id === id)?.name ?? id}</bdi>,
    },
    {
      name: 'How many',
      render: (line) => <span class="number">{`${line.count}${line.is_capped ? ' or more' : ''}`}</span>,
    },
    { name: 'Oldest', render: (line) => <Ago at={line.oldest_at} /> },
    { name: 'What to do', render: (line) => kinds[line.kind].todo },
  ]
  return (
    <Page title="Work list">
      {casinos.length > 1 && (
        <Filters
          filters={[
            isPartial
              ? { name: 'casino_id', label: 'Id of a casino' }
              : {
                  name: 'casino_id',
                  label: 'Casino',
                  choices: casinos.map(({ casino_id: value, name: label }) => ({ value, label })),
                },
          ]}
        />
      )}
      <Section title="What waits for a person">
        {error !== undefined && <Failure error={error} retry={reload} />}
        {value === undefined ? (
          error === undefined && <Loading what="the work list" />
        ) : (
          <>
            {value.is_partial && (
              <p class="problem" role="status">
                Not everything could be counted
                {value.unanswered.length > 0 && `: ${value.unanswered.map(wordsOf).join(', ')}`}.
              </p>
            )}
            {value.lines.length === 0 ? (
              <Empty>Nothing waits for a person.</Empty>
            ) : (
              <Table
                caption="What waits for a person"
                columns={columns}
                rows={value.lines}
                keyOf={(line) => `${line.kind} ${line.casino_id ?? ''} ${line.setting ?? ''}`}
              />
            )}
          </>
        )}
      </Section>
      {isOfAllCasinos && casinoId === undefined && <ServiceState />}
    </Page>
  )
}

function WorkLink({ line }: { line: WorkLine }) {
  const { title, list } = kinds[line.kind]
  const name = line.setting === null ? title : `${title}: ${line.setting}`
  if (line.kind === 'job_failed') {
    return (
      <a href={pathTo('/queues')} target="_self">
        {name}
      </a>
    )
  }
  return list === null || line.casino_id === null ? (
    <>{name}</>
  ) : (
    <a href={casinoPath(line.casino_id, list)}>{name}</a>
  )
}
