import { expect } from 'chai'
import { storeCashbackCredits, storeCashbackMoves } from '../../../core/cashback/store-changes.ts'
import type { Database } from '../../../core/platform/database.ts'
import { sql } from '../../../core/platform/sql.ts'
import { storeOrderChanges } from '../../../core/prize-order/store-changes.ts'
import { assembledLinesMax } from '../../support/statements.ts'

/** A database that stores nothing, and the texts that it was sent. */
function createListener() {
  const texts: string[] = []
  const $queryRaw = (...given: Parameters<typeof sql>) => {
    texts.push(sql(...given).sql.trim())
    return Promise.resolve([])
  }
  const database = { $queryRaw } as unknown as Database
  return { texts, deps: { database, clock: { now: () => new Date() }, handOver: () => undefined } }
}

/** The longest statements. The long form looks at all (row-types.test.ts). */
describe('statements as they are sent', () => {
  const stores: Record<string, (deps: ReturnType<typeof createListener>['deps']) => Promise<unknown>> = {
    'an operator’s move of cashbacks': (deps) => storeCashbackMoves(deps, []),
    'a worker’s change of cashbacks': (deps) => storeCashbackCredits(deps, []),
    'an operator’s request about orders': (deps) => storeOrderChanges(deps, 'request', []),
    'an attempt for orders': (deps) => storeOrderChanges(deps, 'attempt', []),
    'shipment updates of orders': (deps) => storeOrderChanges(deps, 'updates', []),
  }
  for (const [name, store] of Object.entries(stores)) {
    it(`are short enough to be read with all their fragments: ${name}`, async () => {
      const { texts, deps } = createListener()
      await store(deps)
      expect(texts).to.have.length(1)
      const lines = texts.flatMap((text) => text.split('\n'))
      expect(lines.length).to.be.within(50, assembledLinesMax)
    })
  }
})
