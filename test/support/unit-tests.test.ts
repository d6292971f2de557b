import { join } from 'node:path'
import { expect } from 'chai'
import { findUnitTests, needsServer } from './unit-tests.ts'

describe('unit tests', () => {
  const unitTests = findUnitTests()

  it('are found among all kinds of tests', () => {
    expect(unitTests).to.include.members([
      'test/core/money.test.ts',
      'test/core/box/draw.test.ts',
      'test/core/prize-order/decide-order.test.ts',
      'test/docs/errors.test.ts',
      'test/support/unit-tests.test.ts',
    ])
    expect(unitTests.length).to.be.greaterThan(50)
  })

  it('are not tests that have a database, start a service or start a process', () => {
    expect(unitTests).not.to.include.members([
      'test/flows/cashback/ledger.test.ts',
      'test/api/admin/orders.test.ts',
      'test/flows/processes/crashes.test.ts',
    ])
    expect(unitTests.filter((path) => path.startsWith('test/flows/'))).to.deep.equal([])
    expect(unitTests).not.to.include('test/support/at-end.test.ts')
  })

  it('may import the types of a module that needs a server, but not its values, even through another file', () => {
    const support = (name: string) => join(import.meta.dirname, name)
    expect(needsServer(support('webhook-world.ts')), 'through config.ts').to.equal(true)
    expect(needsServer(support('check-reply.ts')), 'the type of a reply').to.equal(false)
    expect(needsServer(support('run-mocha.ts')), 'a process').to.equal(true)
  })
})
