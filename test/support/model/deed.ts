import fc from 'fast-check'
import type { Model, World } from './world.ts'

/** One action of a person or partner. Commands name their objects by numbers, so that shorter lists make sense too. */
export interface Deed {
  label: string
  /** Whether there is something to do it with. */
  isPossible: (model: Model) => boolean
  run: (model: Model, world: World) => Promise<void>
}

/** A gate that so many calls wait at before their requests; all continue when the last one has called. */
export function startTogether(count: number): () => Promise<void> {
  let missing = count
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    missing--
    if (missing === 0) open()
    return opened
  }
}

export const index = fc.nat(20)
export const anything = () => true
export const hasPrizes = (model: Model) => model.prizes.length > 0

export function pick<Value>(list: readonly Value[], number: number): Value | undefined {
  return list[number % Math.max(1, list.length)]
}
