import type { Schemas } from '../api.ts'
import { readTyped } from '../typed.ts'
import type { FormValues } from '../ui/form.tsx'
import type { ComparedBox } from './differences.ts'

export type Draft = Schemas['PublishBoxRequest'] & { expected_version: number }

export const accesses = ['granted', 'limited'] as const
export const periods = ['day', 'week', 'lifetime'] as const

/** The name of a field of an entry, as the service names it in its refusals. */
export function entryField(index: number, field: 'item_id' | 'weight' | 'stock' | 'restock'): string {
  return `entries.${String(index)}.${field}`
}

/**
 * The typed values, as the management API takes them, to be published upon the given version only (0: as a new box).
 * Throws an `ApiError` with the fields that are wrong.
 */
export function draftOf(values: FormValues, entryCount: number, version: number): Draft {
  const typed = readTyped(values)
  const isLimited = values['access'] === 'limited'
  const draft = {
    name: values['name'] ?? '',
    description: textOrNull(values['description'] ?? ''),
    image_url: textOrNull(typed.textIn('image_url')),
    access: accesses.find((access) => access === values['access']) ?? 'granted',
    limit: isLimited
      ? {
          count: typed.neededNumberIn('limit.count'),
          period: periods.find((period) => period === values['limit.period']) ?? 'day',
          time_zone: textOrNull(typed.textIn('limit.time_zone')),
        }
      : null,
    active_from: textOrNull(typed.textIn('active_from')),
    active_until: textOrNull(typed.textIn('active_until')),
    fallback_item_id: textOrNull(values['fallback_item_id'] ?? ''),
    entries: Array.from({ length: entryCount }, (_, index) => ({
      item_id: values[entryField(index, 'item_id')] ?? '',
      weight: typed.neededNumberIn(entryField(index, 'weight')),
      stock: typed.numberIn(entryField(index, 'stock')) ?? null,
      ...(values[entryField(index, 'restock')] === undefined ? {} : { restock: true }),
    })),
    expected_version: version,
  }
  typed.check()
  return draft
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text
}

/** A draft as it would be published. */
export function asPublished(draft: Draft): ComparedBox {
  const { limit = null } = draft
  return {
    name: draft.name,
    description: draft.description ?? null,
    image_url: draft.image_url ?? null,
    access: draft.access,
    limit: limit === null ? null : { ...limit, time_zone: limit.time_zone ?? 'UTC' },
    active_from: instantOf(draft.active_from),
    active_until: instantOf(draft.active_until),
    fallback_item_id: idOf(draft.fallback_item_id),
    entries: draft.entries.map(({ item_id: id, weight, stock = null }) => ({
      item_id: String(id),
      weight,
      stock,
    })),
  }
}

function idOf(id: string | number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}

/** As the service writes it; an invalid time is refused there. */
function instantOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** The odds of each entry, in percent, of the entries typed so far; null for text that is not yet a weight. */
export function typedOdds(values: FormValues, entryCount: number): (number | null)[] {
  const weights = Array.from({ length: entryCount }, (_, index) => {
    const text = (values[entryField(index, 'weight')] ?? '').trim()
    return /^[1-9]\d*$/.test(text) ? Number(text) : null
  })
  const total = weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0)
  return weights.map((weight) => (weight === null ? null : (weight / total) * 100))
}
