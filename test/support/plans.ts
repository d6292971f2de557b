import { expect } from 'chai'
import type pg from 'pg'

/** A step of a plan in the output of EXPLAIN ANALYZE, as far as it is looked at. */
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
export function stepsOf<Some extends { Plans?: Some[] }>(step: Some): Some[] {
  return [step, ...(step.Plans ?? []).flatMap((below) => stepsOf(below))]
}

/** How many rows a step has read from a table or an index. */
export function rowsReadBy(step: Step): number {
  if (!step['Node Type'].includes('Scan') || step['Relation Name'] === undefined) return 0
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = step
  return (step['Actual Rows'] + filtered + rechecked) * step['Actual Loops']
}

/** The same of a plan that was not carried out. */
export interface PlannedStep {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlannedStep[]
}

/** The steps of the plan for any values, which a session keeps. Open it with `plannerOptions`. */
export async function planForAnyValues(client: pg.Client, text: string): Promise<PlannedStep[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlannedStep }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (plan === undefined) throw new Error('no plan')
  return stepsOf(plan)
}

/** Whether the step reads all of a table or an index. */
export function isWholeRead(step: PlannedStep): boolean {
  return (
    step['Node Type'] === 'Seq Scan' || (/Index/.test(step['Node Type']) && step['Index Cond'] === undefined)
  )
}

/** Fails unless the plan reads these tables so many times, and each time by an id. */
export function expectReadsById(
  steps: readonly PlannedStep[],
  { tables, reads: count, when }: { tables: readonly string[]; reads: number; when: string },
): void {
  const reads = steps.filter(
    (step) => step['Node Type'].includes('Scan') && tables.includes(step['Relation Name'] ?? ''),
  )
  expect(reads, when).to.have.length(count)
  for (const step of reads) {
    expect(isWholeRead(step), `${when}: ${JSON.stringify(step)}`).to.equal(false)
    expect(step['Index Cond'], when).to.match(/\bid = /)
  }
}
