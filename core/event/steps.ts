import { sql } from '../platform/sql.ts'

/** One step of several that an object takes in one write. */
export interface Step {
  /** What happened, without the object's type in front; the state that it led to when left out. */
  event?: string
  to: string
  data?: Readonly<Record<string, unknown>>
}

/** The steps of one object from a state on, as JSON that `stepRows` reads. */
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
 * The rows in a column `steps` of such JSON, to be joined laterally: each object's steps are in its own row, so that no
 * object is compared with the steps of the others.
 */
export const stepRows = sql`
  jsonb_to_recordset(steps) AS step (place int, event text, from_state text, to_state text, data jsonb)`
