import { ApiError, refusedUnsent } from './api.ts'
import { minorOf } from './money.ts'
import type { FormValues } from './ui/form.tsx'

/**
 * Reads the typed values of fields, and collects their problems: `check` then refuses the form as the service would,
 * with the problems beside their fields.
 */
export function readTyped(values: FormValues) {
  const problems: Record<string, string> = {}
  const textIn = (name: string) => (values[name] ?? '').trim()
  const numberIn = (name: string): number | undefined => {
    const text = textIn(name)
    if (text === '') return undefined
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN
    if (!Number.isFinite(number)) problems[name] = 'Write a number, such as 60.'
    return number
  }
  return {
    textIn,
    /** Undefined if the field is empty. */
    numberIn,
    /** Says that a field is required if it is empty. */
    neededNumberIn: (name: string): number => {
      const number = numberIn(name)
      if (number === undefined) problems[name] = 'A number is required.'
      return number ?? NaN
    },
    /** Parts between white space or commas. */
    wordsIn: (name: string): string[] =>
      textIn(name)
        .split(/[\s,]+/)
        .filter((word) => word !== ''),
    /** Undefined if the field of the amount is empty. */
    moneyIn: (name: string, currencyName: string) => {
      const [text, currency] = [textIn(name), textIn(currencyName).toUpperCase()]
      if (text === '') return undefined
      const minor = minorOf(text, currency)
      if (!/^[A-Z]{3}$/.test(currency)) problems[currencyName] = 'Write a currency, such as EUR.'
      else if (minor === undefined) problems[name] = `Write an amount in ${currency}, such as 12 or 12.50.`
      return { amount_minor: minor ?? NaN, currency }
    },
    refuse: (name: string, problem: string) => {
      problems[name] = problem
    },
    check: () => {
      if (Object.keys(problems).length > 0) throw refusedUnsent(problems)
    },
  }
}

/** Undefined if the service answers that the object does not exist (yet). */
export async function orAbsent<Found>(code: string, finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return undefined
    throw error
  }
}

/** Refuses an id that is in use. */
export function refuseTaken(name: string, found: unknown): void {
  if (found !== undefined) throw refusedUnsent({ [name]: 'This id is in use.' })
}

/** Refuses an id that is in use: the object that `creating` should make exists already. */
export async function refusedIfTaken<Created>(name: string, creating: Promise<Created>): Promise<Created> {
  try {
    return await creating
  } catch (error) {
    if (error instanceof ApiError && error.code === 'revision_changed') refuseTaken(name, error)
    throw error
  }
}
