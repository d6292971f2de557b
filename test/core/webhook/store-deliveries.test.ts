import { expect } from 'chai'
import { storeDeliveries } from '../../../core/webhook/store-deliveries.ts'
import type { DeliveryWrite } from '../../../core/webhook/store-deliveries.ts'
import { linesOfStatement } from '../../support/assembled-statements.ts'
import { assembledLinesMax } from '../../support/statements.ts'

const begun: DeliveryWrite = {
  job: { outboxId: '1', objectId: 'dlv_1' },
  delivery: { id: 'dlv_1', casinoId: 'casino', endpointId: 'endpoint', attempts: 0, attemptUntil: null },
  seenDueAt: null,
  state: 'pending',
  attempts: 1,
  attemptUntil: new Date(),
  nextAttemptAt: null,
  ended: null,
  work: { kind: 'keep' },
  endpoint: null,
}
const called: DeliveryWrite = {
  ...begun,
  endpoint: { url: 'https://receiver.example', works: false, restUntil: null, disable: 'gone' },
}

const linesFor = (write: DeliveryWrite) =>
  linesOfStatement(({ database, clock }) => storeDeliveries(database, clock.now(), [write]))

/** The long form looks at all statements (row-types.test.ts). */
describe('the statement that stores steps of deliveries', () => {
  it('is short enough to be read with all its fragments', async () => {
    expect(await linesFor(called)).to.have.lengthOf.within(50, assembledLinesMax)
  })

  it('does not look at endpoints when no call was made', async () => {
    expect((await linesFor(begun)).join('\n')).not.to.include('webhook_endpoint')
    expect((await linesFor(called)).join('\n')).to.include('webhook_endpoint')
  })
})
