import { isCount, read } from './record.ts'
import type { Row } from './record.ts'

/** A value that all openings with the same key have in common. */
interface Rule {
  key: readonly string[]
  value: string
  words: string
}

const rules: readonly Rule[] = [
  {
    key: ['casino_id', 'player_id', 'sequence'],
    value: 'id',
    words: 'have the same number in the player’s count',
  },
  {
    key: ['casino_id', 'player_id', 'seed_id', 'nonce'],
    value: 'id',
    words: 'have the same nonce under one secret',
  },
  { key: ['prize_id'], value: 'id', words: 'name the same prize' },
  {
    key: ['casino_id', 'player_id', 'seed_id'],
    value: 'client_seed',
    words: 'have different client seeds under one secret',
  },
  { key: ['seed_id'], value: 'seed_commitment', words: 'name different fingerprints of one secret' },
  { key: ['seed_commitment'], value: 'seed_id', words: 'name two secrets with one fingerprint' },
  {
    key: ['casino_id', 'box_id', 'box_version'],
    value: 'odds_hash',
    words: 'name different odds of one version',
  },
  { key: ['id'], value: 'item_id', words: 'are one opening with two outcomes' },
]

/** The problems between openings that are right by themselves, in words: contradictions, and numbers that are missing. */
export function compareOpenings(rows: readonly Row[]): string[] {
  return [...rules.flatMap((rule) => findContradictions(rows, rule)), ...findGaps(rows)]
}

function findContradictions(rows: readonly Row[], { key, value, words }: Rule): string[] {
  const first = new Map<string, Row>()
  return rows.flatMap((row) => {
    const values = key.map((name) => read(row, name))
    // Openings from before draws were verifiable have no seed.
    if (values.some((one) => one === null || one === undefined)) return []
    const text = JSON.stringify(values)
    const before = first.get(text)
    if (before === undefined) {
      first.set(text, row)
      return []
    }
    return read(before, value) === read(row, value) ? [] : [`${nameOf(before)} and ${nameOf(row)} ${words}.`]
  })
}

/** The numbers in a player's count between the first and the last opening here that no opening here has. */
function findGaps(rows: readonly Row[]): string[] {
  const players = new Map<string, { name: string; numbers: Set<number> }>()
  for (const row of rows) {
    const sequence = read(row, 'sequence')
    if (!isCount(sequence)) continue
    const key = JSON.stringify([read(row, 'casino_id'), read(row, 'player_id')])
    const player = players.get(key) ?? { name: show(read(row, 'player_id')), numbers: new Set<number>() }
    players.set(key, player)
    player.numbers.add(sequence)
  }
  return [...players.values()].flatMap(({ name, numbers }) => {
    const sorted = [...numbers].sort((a, b) => a - b)
    return sorted.flatMap((number, index) => {
      const [from, to] = [(sorted[index - 1] ?? number - 1) + 1, number - 1]
      if (from > to) return []
      return [
        from === to
          ? `Opening ${from} of player ${name} is missing.`
          : `Openings ${from} to ${to} of player ${name} are missing.`,
      ]
    })
  })
}

function nameOf(row: Row): string {
  return show(read(row, 'id'))
}

/** Isolated: right-to-left marks in an id reorder nothing beside it. */
function show(value: unknown): string {
  return `\u2068${typeof value === 'string' ? value : JSON.stringify(value)}\u2069`
}
