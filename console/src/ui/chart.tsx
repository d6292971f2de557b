/** A line of the chart: its name and a value for each minute. */
export interface ChartLine {
  name: string
  values: readonly number[]
}

const width = 180
const height = 36

/**
 * The last hour as a small picture, the same scale for all lines. The text beside it says what the picture shows, for
 * those who cannot see it.
 */
export function Chart({ label, lines }: { label: string; lines: readonly ChartLine[] }) {
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values))
  const sums = lines.map(({ name, values }) => `${values.reduce((sum, value) => sum + value, 0)} ${name}`)
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${label}: ${sums.join(', ')}`}
        preserveAspectRatio="none"
      >
        {lines.map(({ name, values }, index) => (
          <polyline key={name} class={`line-${index}`} points={pointsOf(values, highest)} />
        ))}
      </svg>
      <figcaption class="soft">
        {sums.map((sum, index) => (
          <span key={sum} class={`key-${index}`}>
            {sum}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function pointsOf(values: readonly number[], highest: number): string {
  const step = width / Math.max(1, values.length - 1)
  return values
    .map((value, index) => {
      const y = height - 2 - (value / highest) * (height - 4)
      return `${(index * step).toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
}
