/** A description of a box, as far as it is compared. */
export interface ComparedBox {
  name: string
  description: string | null
  image_url: string | null
  access: string
  limit: { count: number; period: string; time_zone: string } | null
  active_from: string | null
  active_until: string | null
  fallback_item_id: string | null
  entries: readonly { item_id: string; weight: number; stock: number | null }[]
}

/** Something that is not the same in two descriptions; texts for people, but for instants. */
export interface Difference {
  what: string
  before: string
  after: string
  /** Whether both are instants, as the API writes them. */
  isTime?: true
}

/** The text that stands for a missing value. */
export const none = '–'

/** The differences between two descriptions of a box: its terms, and each entry with its odds and stock. */
export function differencesOf(from: ComparedBox, to: ComparedBox): Difference[] {
  const terms = [
    ['Name', from.name, to.name, undefined],
    ['Description', from.description ?? none, to.description ?? none, undefined],
    ['Picture', from.image_url ?? none, to.image_url ?? none, undefined],
    ['Opened by', openedBy(from), openedBy(to), undefined],
    ['Open from', from.active_from ?? none, to.active_from ?? none, true],
    ['Open until', from.active_until ?? none, to.active_until ?? none, true],
    ['Fallback', from.fallback_item_id ?? none, to.fallback_item_id ?? none, undefined],
  ] as const
  const [entriesBefore, entriesAfter] = [entriesOf(from), entriesOf(to)]
  const names = [...new Set([...entriesBefore.keys(), ...entriesAfter.keys()])]
  const entries = names.map(
    (name) =>
      [`Entry ${name}`, entriesBefore.get(name) ?? none, entriesAfter.get(name) ?? none, undefined] as const,
  )
  return [...terms, ...entries].flatMap(([what, before, after, isTime]) =>
    before === after ? [] : [{ what, before, after, ...(isTime === undefined ? {} : { isTime }) }],
  )
}

function openedBy({ access, limit }: ComparedBox): string {
  return limit === null
    ? access
    : `${access}, ${String(limit.count)} per ${limit.period} (${limit.time_zone})`
}

/** Each entry by its item, a further one of the same item with a number. */
function entriesOf({ entries }: ComparedBox): ReadonlyMap<string, string> {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0)
  const seen = new Map<string, number>()
  return new Map(
    entries.map(({ item_id: id, weight, stock }) => {
      const place = (seen.get(id) ?? 0) + 1
      seen.set(id, place)
      const stockText = stock === null ? 'unlimited' : `stock ${String(stock)}`
      return [place === 1 ? id : `${id} (${String(place)})`, `${oddsText(weight, total)}, ${stockText}`]
    }),
  )
}

/** A weight as odds, such as `10 of 100 (10 %)`. */
export function oddsText(weight: number, total: number): string {
  const share = total === 0 ? 0 : (weight / total) * 100
  return `${String(weight)} of ${String(total)} (${String(Number(share.toPrecision(4)))} %)`
}
