import { expect } from 'chai'
import { storeVersion } from '../../../core/box/store-version.ts'
import type { VersionWrite } from '../../../core/box/store-version.ts'
import { linesOfStatement } from '../../support/assembled-statements.ts'
import { assembledLinesMax } from '../../support/statements.ts'

const write: VersionWrite = {
  name: { casinoId: 'casino', boxId: 'box' },
  definition: {
    name: 'Box',
    description: null,
    imageUrl: null,
    access: 'limited',
    limit: null,
    activeFrom: null,
    activeUntil: null,
    entries: [],
    fallbackItemId: null,
  },
  restocked: new Set(),
  predecessors: new Map(),
  replacedVersion: 1,
  entriesBefore: 0,
}

/** The long form looks at all statements (row-types.test.ts). */
describe('the statement that stores a version of a box', () => {
  it('is short enough to be read with all its fragments', async () => {
    const lines = await linesOfStatement(({ database, clock }) =>
      storeVersion(database, clock.now(), write, (statement) => statement),
    )
    expect(lines).to.have.lengthOf.within(50, assembledLinesMax)
  })
})
