import { expect } from 'chai'
import { reachesCasino, rightsOf } from '../../../core/operator/rights.ts'

describe('the rights of a role', () => {
  it('are reading for every role, and the rights of its purpose', () => {
    expect(rightsOf('viewer')).to.deep.equal(['view'])
    expect(rightsOf('support')).to.have.members(['view', 'support'])
    expect(rightsOf('finance')).to.have.members(['view', 'finance'])
    expect(rightsOf('admin')).to.have.members(['view', 'support', 'finance', 'admin'])
  })

  it('apply to the casinos of the operator and their sandboxes', () => {
    expect(reachesCasino('all', 'anything')).to.equal(true)
    expect(reachesCasino(['acme'], 'acme')).to.equal(true)
    expect(reachesCasino(['acme'], 'acme:test')).to.equal(true)
    for (const other of ['acme2', 'acm', 'acme:test:test', 'other', 'other:test', ''])
      expect(reachesCasino(['acme'], other), other).to.equal(false)
    expect(reachesCasino([], 'acme')).to.equal(false)
  })
})
