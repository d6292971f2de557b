import { useId } from 'preact/hooks'
import { wordsOf } from './values.tsx'

/** A state and those that may follow it, as the service has them. The first one is where an object begins. */
export type StateStep = Readonly<{ state: string; next: readonly string[] }>

const boxWidth = 114
const boxHeight = 28
const gapX = 36
const gapY = 14

/** The states as a picture, with the present one marked. The text below says the same of the present one. */
export function StateDiagram({ states, now }: { states: readonly StateStep[]; now: string }) {
  const arrow = useId()
  const places = placesOf(states)
  const next = states.find(({ state }) => state === now)?.next ?? []
  const columns = Math.max(...[...places.values()].map(({ column }) => column)) + 1
  const rows = Math.max(...[...places.values()].map(({ row }) => row)) + 1
  const width = columns * boxWidth + (columns - 1) * gapX
  const height = rows * boxHeight + (rows - 1) * gapY
  const ways = states
    .flatMap((step) => step.next.map((to) => ({ from: step.state, to })))
    // The ways out of the present state lie above the others.
    .sort((one, other) => Number(one.from === now) - Number(other.from === now))
  return (
    <figure class="states">
      <svg viewBox={`-2 -2 ${width + 4} ${height + 4}`} role="img" aria-label={wordsOfStates(states)}>
        <defs>
          {['', 'open'].map((kind) => (
            <marker
              key={kind}
              id={`${arrow}${kind}`}
              class={kind}
              viewBox="0 0 6 6"
              refX="6"
              refY="3"
              markerWidth="6"
              markerHeight="6"
              orient="auto"
            >
              <path d="M0,0 L6,3 L0,6 Z" />
            </marker>
          ))}
        </defs>
        {ways.map(({ from, to }) => {
          const kind = from === now ? 'open' : ''
          return (
            <path
              key={`${from} ${to}`}
              class={`way ${kind}`}
              d={wayBetween(places.get(from), places.get(to))}
              marker-end={`url(#${arrow}${kind})`}
            />
          )
        })}
        {states.map(({ state }) => {
          const { x, y } = cornerOf(places.get(state))
          return (
            <g key={state} class={state === now ? 'now' : ''}>
              <rect x={x} y={y} width={boxWidth} height={boxHeight} rx="6" />
              <text x={x + boxWidth / 2} y={y + boxHeight / 2}>
                {wordsOf(state)}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        It is <strong>{wordsOf(now)}</strong>
        {next.length === 0 ? ', which is its end.' : `. It may become ${listOf(next)}.`}
      </figcaption>
    </figure>
  )
}

function listOf(states: readonly string[]): string {
  const words = states.map(wordsOf)
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

function wordsOfStates(states: readonly StateStep[]): string {
  const sentences = states
    .filter(({ next }) => next.length > 0)
    .map(({ state, next }) => `${wordsOf(state)} may become ${listOf(next)}`)
  return `States: ${sentences.join('; ')}.`
}

interface Place {
  column: number
  row: number
}

/** Each state stands one column behind the first that leads to it, beside it if there is room. */
function placesOf(states: readonly StateStep[]): Map<string, Place> {
  const [first] = states
  const places = new Map<string, Place>()
  if (first === undefined) return places
  places.set(first.state, { column: 0, row: 0 })
  const nextRows = new Map<number, number>()
  // A map may grow while it is gone through.
  for (const [state, { column, row }] of places) {
    for (const to of states.find((step) => step.state === state)?.next ?? []) {
      if (places.has(to)) continue
      const free = Math.max(nextRows.get(column + 1) ?? 0, row)
      places.set(to, { column: column + 1, row: free })
      nextRows.set(column + 1, free + 1)
    }
  }
  return places
}

function cornerOf(place: Place | undefined): { x: number; y: number } {
  const { column, row } = place ?? { column: 0, row: 0 }
  return { x: column * (boxWidth + gapX), y: row * (boxHeight + gapY) }
}

/** Forwards in the upper half of the boxes, backwards in the lower half, and within a column beside it. */
function wayBetween(from: Place | undefined, to: Place | undefined): string {
  const [start, end] = [cornerOf(from), cornerOf(to)]
  const isForwards = end.x > start.x
  const isSameColumn = end.x === start.x
  const part = isForwards ? 0.35 : 0.65
  const x1 = isForwards || isSameColumn ? start.x + boxWidth : start.x
  const x2 = isForwards ? end.x : end.x + boxWidth
  const y1 = start.y + boxHeight * part
  const y2 = end.y + boxHeight * part
  const bend = isSameColumn ? gapX * 0.8 : isForwards ? gapX / 2 : -gapX / 2
  const back = isSameColumn ? bend : -bend
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 + back},${y2} ${x2},${y2}`
}
