/** An exact non-negative number. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** The fraction in lowest terms. The denominator is above zero. */
export function fractionOf(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

/** `1/100`; also `0/1` and `1/1`. */
export function renderFraction({ numerator, denominator }: Fraction): string {
  return `${numerator}/${denominator}`
}

/** Even very small numbers keep this many digits. */
const significantDigits = 4

/**
 * The number in decimals, rounded half up to this many, or to more if a small number would lose its digits; without
 * trailing zeros: `12.5`, `0.0000000000000111`.
 */
export function renderDecimal({ numerator, denominator }: Fraction, decimals: number): string {
  let scale = 10n ** BigInt(decimals)
  const enough = 10n ** BigInt(significantDigits - 1)
  while (numerator > 0n && numerator * scale < denominator * enough && numerator < denominator) scale *= 10n
  const rounded = (2n * numerator * scale + denominator) / (2n * denominator)
  const fractionDigits = String(scale).length - 1
  const fraction = String(rounded % scale)
    .padStart(fractionDigits, '0')
    .replace(/0+$/, '')
  const whole = String(rounded / scale)
  return fractionDigits === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** Of a share of one. */
export function renderPercent(share: Fraction): string {
  return renderDecimal({ ...share, numerator: share.numerator * 100n }, 4)
}

/** The largest integer whose square is at most `square`, by Newton's method from above. */
export function wholeSquareRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}
