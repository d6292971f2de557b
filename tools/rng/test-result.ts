import { chiSquarePValue } from '../../core/box/goodness-of-fit.ts'
import type { Fit } from '../../core/box/goodness-of-fit.ts'

/** The result of one statistical test of the generator. */
export interface TestResult {
  /** The test, and the data that it was made on. */
  name: string
  /** How many observations it is about. */
  count: number
  /** For people: `χ²(9) = 8.2`, `z = -0.4`. */
  statistic: string
  /** Two-sided where it can be: a fit that is too good is as improbable as one that is too bad. */
  pValue: number
}

/** With fewer cells, counts are exactly as expected too often by chance for that to mean anything. */
const twoSidedFreedomMin = 3

/** Of a statistic that is normally distributed, with mean 0 and deviation 1, if the generator is right. */
export function resultOfZ(name: string, count: number, z: number): TestResult {
  return { name, count, statistic: `z = ${z.toFixed(3)}`, pValue: chiSquarePValue(z * z, 1) }
}

/** Throws when there was too little to compare. */
export function resultOfFit(name: string, count: number, fit: Fit | null): TestResult {
  if (fit === null) throw new Error(`${name}: ${count} draws are too few`)
  const { chiSquare, degreesOfFreedom, pValue } = fit
  return {
    name,
    count,
    statistic: `χ²(${degreesOfFreedom}) = ${chiSquare.toFixed(2)}`,
    pValue: degreesOfFreedom < twoSidedFreedomMin ? pValue : Math.min(1, 2 * Math.min(pValue, 1 - pValue)),
  }
}
