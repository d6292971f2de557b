import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Chart } from '../ui/chart.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, State, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Queue = Schemas['QueueState']
type Operation = Schemas['OperationState']

const pollMs = 10_000

/** The state of the service: its queues, the outbox, the servers, the processes, and the three operations. */
export function ServiceState() {
  const { value, error, reload } = useQuery(
    'state',
    async (signal) => (await answered(api.GET('/admin/state', { signal }))).data,
    { pollMs },
  )
  if (value === undefined) {
    return (
      <Section title="State of the service">
        {error === undefined ? <Loading what="the state" /> : <Failure error={error} retry={reload} />}
      </Section>
    )
  }
  const { database, replica, queue_server: queueServer, outbox, processes } = value
  const alive = (kind: string) =>
    processes.filter((process) => process.kind === kind && process.is_alive).length
  return (
    <>
      <Section title="State of the service">
        {error !== undefined && <Failure error={error} retry={reload} />}
        <Facts
          facts={[
            ['Database', <Reached key="database" server={database} />],
            ...(replica === null ? [] : [['Replica', <Replica key="replica" replica={replica} />] as const]),
            [
              queueServer.kind === 'redis' ? 'Redis' : 'Queues in PostgreSQL',
              <Reached key="queues" server={queueServer} />,
            ],
            ['Outbox', `${outbox.due} due, ${outbox.resting} resting`],
            ['Oldest due work', secondsOf(outbox.oldest_due_age_seconds)],
            ['Workers alive', <Alive key="workers" count={alive('worker')} />],
            ['APIs alive', <Alive key="apis" count={alive('api')} />],
          ]}
        />
      </Section>
      <Section title="Operations in the last hour">
        <Table
          caption="Operations"
          columns={operationColumns}
          rows={value.operations}
          keyOf={({ operation }) => operation}
        />
      </Section>
      <Section title="Queues">
        <Table caption="Queues" columns={queueColumns} rows={value.queues} keyOf={({ name }) => name} />
      </Section>
      <Section title="Processes">
        <Table
          caption="Processes"
          columns={processColumns}
          rows={processes}
          keyOf={({ process_id: id }) => id}
        />
      </Section>
    </>
  )
}

function Reached({ server: { is_up: isUp, latency_ms: ms } }: { server: Schemas['DatabaseState'] }) {
  return isUp ? (
    <>
      <State state="active" /> {ms !== null && `${ms.toFixed(1)} ms`}
    </>
  ) : (
    <State state="failed" />
  )
}

function Replica({ replica }: { replica: Schemas['ReplicaState'] }) {
  return (
    <>
      <State state={replica.is_used ? 'active' : 'failed'} />{' '}
      {replica.problem === null ? '' : `${wordsOf(replica.problem)}, `}
      {`${secondsOf(replica.lag_seconds)} behind`}
    </>
  )
}

function Alive({ count }: { count: number }) {
  return count === 0 ? <span class="problem">none</span> : <span class="number">{count}</span>
}

function secondsOf(seconds: number | null): string {
  if (seconds === null) return 'none'
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const operationColumns: Column<Operation>[] = [
  { name: 'Operation', render: ({ operation }) => wordsOf(operation) },
  {
    name: 'Requests a minute',
    render: ({ operation, minutes }) => (
      <Chart
        label={wordsOf(operation)}
        lines={[
          { name: 'done', values: minutes.map(({ ok }) => ok) },
          { name: 'refused', values: minutes.map(({ refused }) => refused) },
          { name: 'failed', values: minutes.map(({ failed }) => failed) },
        ]}
      />
    ),
  },
  {
    name: 'Error rate',
    render: ({ minutes }) => {
      const failed = sumOf(minutes.map((minute) => minute.failed))
      const all = failed + sumOf(minutes.map(({ ok, refused }) => ok + refused))
      const rate = all === 0 ? '–' : `${((100 * failed) / all).toFixed(2)} %`
      return <span class={failed > 0 ? 'problem number' : 'number'}>{rate}</span>
    },
  },
]

const known = (count: number | null) => <span class="number">{count ?? '?'}</span>

const queueColumns: Column<Queue>[] = [
  { name: 'Queue', render: ({ name }) => wordsOf(name.replaceAll('-', ' ')) },
  { name: 'Waiting', render: ({ waiting }) => known(waiting) },
  { name: 'Running', render: ({ active }) => known(active) },
  { name: 'Later', render: ({ delayed }) => known(delayed) },
  {
    name: 'Failed',
    render: ({ failed }) => (
      <span class={failed !== null && failed > 0 ? 'problem number' : 'number'}>{failed ?? '?'}</span>
    ),
  },
  { name: 'Oldest', render: ({ oldest_age_seconds: age }) => secondsOf(age) },
  {
    name: 'Jobs a minute',
    render: ({ name, minutes }) => (
      <Chart
        label={name}
        lines={[
          { name: 'in', values: minutes.map((minute) => minute.in) },
          { name: 'out', values: minutes.map(({ out }) => out) },
        ]}
      />
    ),
  },
]

const processColumns: Column<Schemas['SeenProcess']>[] = [
  { name: 'Process', render: ({ kind }) => kind },
  { name: 'Id', render: ({ process_id: id }) => <Given text={id} /> },
  { name: 'Machine', render: ({ host }) => <Given text={host} /> },
  { name: 'Version', render: ({ version }) => version },
  { name: 'State', render: ({ is_alive: isAlive }) => <State state={isAlive ? 'active' : 'failed'} /> },
  { name: 'Started', render: (process) => <Ago at={process.started_at} /> },
  { name: 'Seen', render: (process) => <Ago at={process.seen_at} /> },
]
