import { expect } from 'chai'
import { decideGrants } from '../../../core/grant/decide-grants.ts'
import type { Grant, GrantRequest } from '../../../core/grant/decide-grants.ts'

describe('decideGrants', () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const request: GrantRequest = {
    playerId: 'ann',
    boxId: 'gold',
    count: 2,
    grantId: undefined,
    expiresAt: null,
  }
  const decide = (requests: GrantRequest[], stored: Grant[] = []) => {
    const known = { boxIds: new Set(['gold']), grants: new Map(stored.map((grant) => [grant.id, grant])) }
    const identified = requests.map((one, index) => ({ ...one, newId: `new-${index + 1}` }))
    return decideGrants(identified, known, now)
  }

  it('creates a new grant for each request without an id', () => {
    const { grants, added } = decide([request, request])
    expect(grants.map(({ id }) => id)).to.deep.equal(['new-1', 'new-2'])
    expect(added).to.deep.equal(grants)
  })

  it('treats the same id with the same contents as the same grant, in the list and in the store', () => {
    const named = { ...request, grantId: 'g', expiresAt: new Date(now) }
    const { grants, added } = decide([named, { ...named, expiresAt: new Date(now) }])
    expect(grants[0]).to.equal(grants[1])
    expect(added).to.have.length(1)
    const stored = { ...added[0], used: 1 } as Grant
    const again = decide([named], [stored])
    expect(again).to.deep.equal({ grants: [stored], added: [] })
  })

  it('refuses the same id with different contents', () => {
    const named = { ...request, grantId: 'g' }
    for (const other of [{ playerId: 'bob' }, { count: 3 }, { expiresAt: now }]) {
      expect(() => decide([named, { ...named, ...other }]), JSON.stringify(other)).to.throw('grant_conflict')
    }
  })

  it('refuses a box that the casino does not have', () => {
    expect(() => decide([request, { ...request, boxId: 'silver' }])).to.throw('box_unknown')
  })
})
