import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { DatabaseClock } from './database-clock.ts'

export function addClockGauge(registry: Registry, databaseClock: DatabaseClock): void {
  new Gauge({
    name: 'rewards_clock_skew_seconds',
    help: 'By how much the clock of this machine is ahead of the database’s; negative when it is behind. Absent until the database has told its time.',
    registers: [registry],
    collect() {
      const seconds = databaseClock.skewSeconds()
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
}
