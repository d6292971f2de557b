import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { WaitingCasino } from '../core/platform/waiting-casino.ts'
import type { Ask } from './shared-answers.ts'

interface Named {
  name: string
  help: string
}

/** A gauge of one value, which is absent while it is not known. */
export function addNumberGauge<Value>(
  registry: Registry,
  named: Named,
  ask: Ask<Value>,
  valueOf: (answer: Value) => number,
): void {
  new Gauge({
    ...named,
    registers: [registry],
    async collect() {
      const answer = await ask()
      if (answer === undefined) this.remove()
      else this.set(valueOf(answer))
    },
  })
}

/** A gauge with a label. While one of the questions is not answered, only its own values are absent. */
export function addLabelledGauge(
  registry: Registry,
  { name, help, label }: Named & { label: string },
  asks: readonly Ask<ReadonlyMap<string, number>>[],
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const answers = await Promise.all(asks.map((ask) => ask()))
      this.reset()
      for (const answer of answers) {
        for (const [value, count] of answer ?? []) this.set({ [label]: value }, count)
      }
    },
  })
}

/** A shorter wait is normal, and would only add a series. */
const waitingSecondsMin = 60

/** A gauge that is 1 if the question was answered, otherwise 0. */
export function addUpGauge(registry: Registry, named: Named, ask: Ask<unknown>): void {
  new Gauge({
    ...named,
    registers: [registry],
    async collect() {
      this.set((await ask()) === undefined ? 0 : 1)
    },
  })
}

/** A gauge of the longest waits. The value without a label is for all casinos, and exists from the start. */
export function addWaitingGauge(registry: Registry, named: Named, ask: Ask<readonly WaitingCasino[]>): void {
  new Gauge({
    ...named,
    labelNames: ['casino'],
    registers: [registry],
    async collect() {
      const worst = await ask()
      this.reset()
      if (worst === undefined) return
      this.set(worst[0]?.seconds ?? 0)
      for (const { casinoId, seconds } of worst) {
        if (seconds >= waitingSecondsMin) this.set({ casino: casinoId }, seconds)
      }
    },
  })
}
