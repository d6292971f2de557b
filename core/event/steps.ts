import { sql } from '../platform/sql.ts'

/** One of several steps that an object takes in one write. */
export interface Step {
  /** The event's name without the object type; by default the state it led to. */
  event?: string
  to: string
  data?: Readonly<Record<string, unknown>>
}

/** The steps of one object from a state on, as JSON for `stepRows`. */
export function toStepsJson(from: string, steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ event, to, data }, index) => ({
      place: index + 1,
      event: event ?? to,
      from_state: steps[index - 1]?.to ?? from,
      to_state: to,
      data,
    })),
  )
}

/**
 * The rows of a JSON column `steps`, to be joined laterally: each object's steps are in its own row, so that objects
 * are not compared with the steps of others.
 */
export const stepRows = sql`
  jsonb_to_recordset(steps) AS step (place int, event text, from_state text, to_state text, data jsonb)`
