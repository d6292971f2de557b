import { expect } from 'chai'
import { cashbackActions, orderActions } from '../../../console/src/bulk-actions.ts'
import { actActions, meaningOf } from '../../../core/act/decide-act.ts'

describe('the bulk actions of the console', () => {
  it('are all acts on orders and cashbacks, with the right and the fields that the service requires', () => {
    const known = actActions.flatMap((action) => {
      const { objectType, right, required, optional } = meaningOf(action)
      if (objectType !== 'prize_order' && objectType !== 'cashback') return []
      return [{ action, right, fields: [...required, ...optional] }]
    })
    const shown = [...orderActions, ...cashbackActions].map(({ action, right, fields }) => ({
      action,
      right,
      fields: [...fields],
    }))
    expect(shown).to.deep.equal(known)
  })
})
