import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { DatabaseClock } from './database-clock.ts'

export function addClockGauge(registry: Registry, databaseClock: DatabaseClock): void {
  new Gauge({
    name: 'rewards_clock_skew_seconds',
    help: 'How far the clock of this machine is ahead of the database’s; negative if it is behind. Absent until the database has reported its time.',
    registers: [registry],
    collect() {
      const seconds = databaseClock.skewSeconds()
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
}
