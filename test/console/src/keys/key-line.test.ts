import { expect } from 'chai'
import { endingWith } from '../../../../console/src/keys/key-line.ts'

describe('the keys that end with another one', () => {
  const nowMs = Date.UTC(2030, 0, 1)
  const key = (id: string, given: Partial<Parameters<typeof endingWith>[0][number]> = {}) => ({
    key_id: id,
    created_by: 'admin',
    rotated_from: null,
    rotated_by: null,
    revoked_at: null,
    expires_at: null,
    ...given,
  })
  const endOf = (keys: ReturnType<typeof key>[], id: string) =>
    endingWith(keys, id, nowMs).map(({ key_id: found }) => found)

  it('are the keys that it created, and the keys that those created', () => {
    const keys = [
      key('a'),
      key('b', { created_by: 'a' }),
      key('c', { created_by: 'b' }),
      key('other', { created_by: 'z' }),
    ]
    expect(endOf(keys, 'a')).to.deep.equal(['b', 'c'])
    expect(endOf(keys, 'c')).to.deep.equal([])
  })

  it('are the keys that it rotated, but not a successor that another key asked for', () => {
    const keys = [
      key('a'),
      key('own', { rotated_from: 'a', rotated_by: 'a' }),
      key('others', { rotated_from: 'a', rotated_by: 'admin' }),
    ]
    expect(endOf(keys, 'a')).to.deep.equal(['own'])
  })

  it('are the keys that the key created before it was rotated, and not the replaced key', () => {
    const keys = [
      key('old'),
      key('made', { created_by: 'old' }),
      key('new', { rotated_from: 'old', rotated_by: 'admin' }),
    ]
    expect(endOf(keys, 'new')).to.deep.equal(['made'])
  })

  it('are the keys that can still be used', () => {
    const keys = [
      key('a'),
      key('revoked', { created_by: 'a', revoked_at: '2029-01-01T00:00:00.000Z' }),
      key('expired', { created_by: 'a', expires_at: '2029-12-31T00:00:00.000Z' }),
      key('live', { created_by: 'revoked', expires_at: '2030-12-31T00:00:00.000Z' }),
    ]
    expect(endOf(keys, 'a')).to.deep.equal(['live'])
  })

  it('are found when keys replace each other in a circle, which the service never makes', () => {
    const keys = [
      key('a', { rotated_from: 'b', rotated_by: 'b' }),
      key('b', { rotated_from: 'a', rotated_by: 'a' }),
    ]
    expect(endOf(keys, 'a')).to.deep.equal(['b'])
  })
})
