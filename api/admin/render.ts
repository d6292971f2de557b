import { amountToJson } from '../../core/money.ts'

/** The body of a success that is not a list. */
export function success(data: object): object {
  return { status: 'success', data }
}

/** The `cashback` of an item or a prize; null when there is none. */
export function renderCashbackValue(of: {
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
}): { amount_minor: number | string; currency: string } | null {
  if (of.cashbackAmountMinor === null || of.cashbackCurrency === null) return null
  return { amount_minor: amountToJson(of.cashbackAmountMinor), currency: of.cashbackCurrency }
}
