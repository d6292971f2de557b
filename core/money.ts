/** An amount in the currency's smallest unit (cents, say): never a fraction, never a floating-point sum. */
export interface Money {
  amountMinor: bigint
  /** ISO 4217, three capital letters. */
  currency: string
}

/** An integer, or its digits as text where JSON's readers would lose some of them (beyond 2^53 − 1). */
export function amountToJson(amountMinor: bigint): number | string {
  const number = Number(amountMinor)
  return Number.isSafeInteger(number) ? number : String(amountMinor)
}
