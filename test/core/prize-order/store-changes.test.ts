import { expect } from 'chai'
import { storeOrderChanges } from '../../../core/prize-order/store-changes.ts'
import { linesOfStatement } from '../../support/assembled-statements.ts'
import { assembledLinesMax } from '../../support/statements.ts'

/** The long form looks at all statements (row-types.test.ts). */
describe('the statement that stores changes of orders', () => {
  it('is short enough to be read with all its fragments: an operator’s requests', async () => {
    expect(await linesOfStatement((deps) => storeOrderChanges(deps, 'request', []))).to.have.lengthOf.within(
      50,
      assembledLinesMax,
    )
  })

  it('is short enough to be read with all its fragments: attempts', async () => {
    expect(await linesOfStatement((deps) => storeOrderChanges(deps, 'attempt', []))).to.have.lengthOf.within(
      50,
      assembledLinesMax,
    )
  })

  it('is short enough to be read with all its fragments: shipment updates', async () => {
    expect(await linesOfStatement((deps) => storeOrderChanges(deps, 'updates', []))).to.have.lengthOf.within(
      50,
      assembledLinesMax,
    )
  })
})
