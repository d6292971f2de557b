/** Amounts as people write them, in both directions: `12.50` of EUR is 1250 of its smallest unit. */

/** How many decimals a currency has; undefined if it is not a currency code. */
export function decimalsOf(currency: string): number | undefined {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits
  } catch {
    return undefined
  }
}

/** Undefined if the text is not an amount of the currency that a number holds exactly. */
export function minorOf(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency)
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (decimals === undefined || whole === '' || fraction.length > decimals) return undefined
  const minor = Number(`${whole}${fraction.padEnd(decimals, '0')}`)
  return Number.isSafeInteger(minor) ? minor : undefined
}

/** The amount without its currency, as a field has it. */
export function decimalOf(minor: number | string, currency: string): string {
  const decimals = decimalsOf(currency) ?? 0
  const digits = String(minor).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`
}
