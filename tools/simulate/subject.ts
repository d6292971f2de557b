import type { ReportedBox } from '../../core/box/box-report.ts'
import type { PricedItem } from '../../core/item/find-items.ts'

/** The box that is simulated, from a file or from the database. */
export interface Subject {
  title: string
  box: ReportedBox
  oddsHash: string
  /** The known items; those of a file need not be all of them. */
  items: ReadonlyMap<string, PricedItem>
}
