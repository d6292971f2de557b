import { useEffect, useRef, useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Section } from '../ui/page.tsx'
import { Failure } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given } from '../ui/values.tsx'
import type { Draft } from './draft.ts'

type Entry = Schemas['SimulationEntry']

/** Small enough that the progress is seen, and few enough requests that no other caller waits for them. */
const drawsOfRound = 10_000
const rounds = 10

/** Draws from a draft, round by round, without publishing it. */
export function DraftSimulation({
  path,
  draft,
}: {
  path: { casino_id: string; box_id: string }
  draft: Draft
}) {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [done, setDone] = useState(0)
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const run = async () => {
    const { signal } = (abort.current = new AbortController())
    let drawn: readonly Entry[] = []
    for (let round = 1; round <= rounds; round++) {
      const answer = await answered(
        api.POST('/admin/casinos/{casino_id}/boxes/{box_id}/simulate', {
          params: { path },
          body: { ...draft, draws: drawsOfRound },
          signal,
        }),
      )
      drawn = sumOf(drawn, answer.data.simulation?.entries ?? [])
      setEntries(drawn)
      setDone(round)
    }
  }
  const start = () => {
    setRunning(true)
    setError(undefined)
    setEntries([])
    setDone(0)
    run()
      .catch((failure: unknown) => {
        if (!(failure instanceof DOMException && failure.name === 'AbortError')) setError(failure)
      })
      .finally(() => {
        setRunning(false)
      })
  }
  return (
    <Section
      title="Simulation"
      aside={
        isRunning ? (
          <button type="button" onClick={() => abort.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={start}>
            Simulate {(drawsOfRound * rounds).toLocaleString()} draws
          </button>
        )
      }
    >
      <p>Draws with the code that draws openings. Nothing is published or opened; stocks are ignored.</p>
      {(isRunning || done > 0) && (
        <p role="status">
          <progress value={done} max={rounds} aria-label="Draws" /> {(done * drawsOfRound).toLocaleString()}{' '}
          of {(drawsOfRound * rounds).toLocaleString()} draws are done.
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      {entries.length > 0 && (
        <Table
          caption="Simulated draws"
          columns={columns}
          rows={entries}
          keyOf={({ entry }) => String(entry)}
        />
      )}
    </Section>
  )
}

function sumOf(before: readonly Entry[], round: readonly Entry[]): readonly Entry[] {
  return round.map((entry, index) => ({
    ...entry,
    expected: entry.expected + (before[index]?.expected ?? 0),
    observed: entry.observed + (before[index]?.observed ?? 0),
  }))
}

const columns: Column<Entry>[] = [
  { name: 'Entry', render: ({ entry }) => entry },
  { name: 'Item', render: ({ item_id: id }) => <Given text={id} /> },
  {
    name: 'Expected',
    render: ({ expected }) => (
      <span class="number">{expected.toLocaleString(undefined, { maximumFractionDigits: 1 })}</span>
    ),
  },
  { name: 'Drawn', render: ({ observed }) => <span class="number">{observed.toLocaleString()}</span> },
]
