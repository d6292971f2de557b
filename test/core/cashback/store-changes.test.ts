import { expect } from 'chai'
import { storeCashbackCredits, storeCashbackMoves } from '../../../core/cashback/store-changes.ts'
import { linesOfStatement } from '../../support/assembled-statements.ts'
import { assembledLinesMax } from '../../support/statements.ts'

/** The long form looks at all statements (row-types.test.ts). */
describe('the statement that stores changes of cashbacks', () => {
  it('is short enough to be read with all its fragments: an operator’s moves', async () => {
    expect(await linesOfStatement((deps) => storeCashbackMoves(deps, []))).to.have.lengthOf.within(
      50,
      assembledLinesMax,
    )
  })

  it('is short enough to be read with all its fragments: a worker’s changes', async () => {
    expect(await linesOfStatement((deps) => storeCashbackCredits(deps, []))).to.have.lengthOf.within(
      50,
      assembledLinesMax,
    )
  })
})
