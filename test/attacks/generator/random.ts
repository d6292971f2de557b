/** Random decisions that a seed repeats. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  below(bound: number): number
  chance(probability: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value
}

/** Mulberry32: fast, repeatable and good enough to choose bad requests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = values[below(values.length)]
      if (value === undefined && values.length === 0) throw new Error('nothing to pick from')
      return value as (typeof values)[number]
    },
  }
}
