/** An amount in the currency's smallest unit (cents, for example): never a fraction, never a floating-point sum. */
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

/** How many decimals the smallest unit has, by ISO 4217 (list one), where it is not two. Some have no smaller unit. */
const decimalsOf = new Map<string, number>([
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimals(0, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimals(4, 'CLF UYW'),
])

function decimals(count: number, currencies: string): [string, number][] {
  return currencies.split(' ').map((currency) => [currency, count])
}

/**
 * An amount for people, `0.63 EUR`, `63 JPY`; JSON has minor units. An average may have decimals of the smallest unit,
 * as text (`124.5`), and keeps them. Without `Intl`, which drops decimals that ISO 4217 has: it would write one Iraqi
 * dinar for 1,000 fils and for 1,400.
 */
export function formatMoney({
  amountMinor,
  currency,
}: {
  amountMinor: bigint | string
  currency: string
}): string {
  const [whole = '', beyond = ''] = String(amountMinor).replace('-', '').split('.')
  const sign = String(amountMinor).startsWith('-') ? '-' : ''
  const count = decimalsOf.get(currency) ?? 2
  const digits = whole.padStart(count + 1, '0')
  const point = digits.length - count
  const fraction = digits.slice(point) + beyond
  return `${sign}${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`} ${currency}`
}
