import type { PublishedStock } from './box-definition.ts'
import type { ReportedBox, RunOut } from './box-report.ts'

/** Possible mistakes in a box that are allowed nevertheless. */
export type BoxWarningCode =
  | 'entry_never_won'
  | 'box_never_opens'
  | 'closes_when_used_up'
  | 'fallback_never_given'
  | 'runs_out_early'
  | 'stock_carried_over'
  | 'stock_ended'
  | 'stock_given_out_again'

export interface BoxWarning {
  code: BoxWarningCode
  /** The position of the entry in question, from 1; null if the warning is about the whole box. */
  position: number | null
  message: string
}

/**
 * Finds possible mistakes in a definition. `runOuts` with dates show which stocks are expected to run out while the box
 * is open.
 */
export function findBoxWarnings(
  box: ReportedBox,
  now: Date,
  runOuts: readonly RunOut[] = [],
): readonly BoxWarning[] {
  return [
    ...findNeverOpens(box, now),
    ...findNeverWon(box),
    ...findFallbackWarnings(box),
    ...findEarlyRunOuts(box, runOuts),
  ]
}

/** Finds surprising effects on the previous version's stocks. */
export function findStockWarnings(stocks: readonly PublishedStock[]): readonly BoxWarning[] {
  return stocks.flatMap(
    ({ position, itemId, stock, leftBefore, remaining, isCarried, isAgain }): BoxWarning[] => {
      if (isCarried && remaining !== stock) {
        return [
          {
            code: 'stock_carried_over',
            position,
            message: `entry ${position ?? 0} continues with ${remaining} of its stock of ${stock ?? 0}: the others were won before. Use restock to start with the full stock`,
          },
        ]
      }
      if (isAgain) {
        return [
          {
            code: 'stock_given_out_again',
            position,
            message: `entry ${position ?? 0} starts with its full stock of ${stock ?? 0}: an earlier version had a stock of item ${itemId}, whose wins do not count`,
          },
        ]
      }
      if (isCarried || leftBefore === null || leftBefore === 0) return []
      return [
        {
          code: 'stock_ended',
          position,
          message: `${leftBefore} of item ${itemId} were left in the previous version, and this version does not use them`,
        },
      ]
    },
  )
}

function findNeverOpens({ entries, fallbackItemId, activeUntil }: ReportedBox, now: Date): BoxWarning[] {
  const empty = entries.findIndex((entry) => entry.stock === 0)
  const warnings: BoxWarning[] = []
  if (empty >= 0 && fallbackItemId === null) {
    warnings.push({
      code: 'box_never_opens',
      position: empty + 1,
      message: 'the box cannot be opened: an entry is out of stock, and there is no fallback',
    })
  }
  if (activeUntil !== null && activeUntil <= now) {
    warnings.push({
      code: 'box_never_opens',
      position: null,
      message: 'the box cannot be opened: active_until has passed',
    })
  }
  return warnings
}

function findNeverWon({ entries, fallbackItemId }: ReportedBox): BoxWarning[] {
  return entries.flatMap(({ itemId, stock }, index) =>
    stock !== 0 || itemId === fallbackItemId
      ? []
      : [
          {
            code: 'entry_never_won' as const,
            position: index + 1,
            message: `entry ${index + 1} can never be won: it is out of stock`,
          },
        ],
  )
}

function findFallbackWarnings({ entries, fallbackItemId }: ReportedBox): BoxWarning[] {
  const isLimited = entries.some((entry) => entry.stock !== null)
  if (!isLimited && fallbackItemId !== null) {
    return [
      {
        code: 'fallback_never_given',
        position: null,
        message: 'the fallback can never be given: no entry has a limited stock',
      },
    ]
  }
  if (isLimited && fallbackItemId === null) {
    return [
      {
        code: 'closes_when_used_up',
        position: null,
        message: 'the box closes as soon as one entry is out of stock: there is no fallback',
      },
    ]
  }
  return []
}

function findEarlyRunOuts({ activeUntil }: ReportedBox, runOuts: readonly RunOut[]): BoxWarning[] {
  if (activeUntil === null) return []
  return runOuts
    .filter(({ stock, expectedAt }) => stock > 0 && expectedAt !== null && expectedAt < activeUntil)
    .map(({ position }) => ({
      code: 'runs_out_early',
      position,
      message: `entry ${position} is expected to run out before active_until`,
    }))
}
