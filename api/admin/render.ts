/** The body of a success that is no list. */
export function success(data: object): object {
  return { status: 'success', data }
}

/** An integer, or its digits as text where JSON's readers would lose some of them (beyond 2^53 − 1). */
export function renderAmount(amountMinor: bigint): number | string {
  const number = Number(amountMinor)
  return Number.isSafeInteger(number) ? number : String(amountMinor)
}

/** The `cashback` of an item or a prize; null when there is none. */
export function renderCashbackValue(of: {
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
}): object | null {
  if (of.cashbackAmountMinor === null || of.cashbackCurrency === null) return null
  return { amount_minor: renderAmount(of.cashbackAmountMinor), currency: of.cashbackCurrency }
}
