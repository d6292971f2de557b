/** A step of a plan in the output of EXPLAIN, as far as it is looked at. */
export interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Step[]
}

/** A step and all below it. */
export function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)]
}

/** How many rows a step has read from a table or an index. */
export function rowsReadBy(step: Step): number {
  if (!step['Node Type'].includes('Scan') || step['Relation Name'] === undefined) return 0
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = step
  return (step['Actual Rows'] + filtered + rechecked) * step['Actual Loops']
}
