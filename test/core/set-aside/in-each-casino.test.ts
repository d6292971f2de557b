import { expect } from 'chai'
import { DatabaseError } from '../../../core/platform/database-error.ts'
import { inEachCasino } from '../../../core/set-aside/in-each-casino.ts'

describe('the work of a loop for each casino', () => {
  it('adds up, and is done for the others when that of one fails, whose failure is reported', async () => {
    expect(await inEachCasino([1, 2, 3], (count) => Promise.resolve(count))).to.equal(6)
    const done: string[] = []
    const failure = await inEachCasino(['a', 'slow', 'b', 'broken'], (casino) => {
      done.push(casino)
      return casino.length > 1 ? Promise.reject(new Error(casino)) : Promise.resolve(1)
    }).catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'slow')
    expect(done).to.deep.equal(['a', 'slow', 'b', 'broken'])
  })

  it('ends when the database is away', async () => {
    const done: string[] = []
    const failure = await inEachCasino(['a', 'b'], (casino) => {
      done.push(casino)
      return Promise.reject(
        new DatabaseError({ message: 'away', sqlState: undefined, isAway: true }, undefined),
      )
    }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(DatabaseError)
    expect(done).to.deep.equal(['a'])
  })
})
