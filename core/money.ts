/** An amount in the currency's smallest unit (cents, say): never a fraction, never a floating-point sum. */
export interface Money {
  amountMinor: bigint
  /** ISO 4217, three capital letters. */
  currency: string
}
