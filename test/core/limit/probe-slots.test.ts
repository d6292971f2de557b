import { expect } from 'chai'
import { shareHolderOf } from '../../../core/casino/sandbox.ts'
import { createRunProbe } from '../../../core/limit/probe-slots.ts'
import { eventually } from '../../support/eventually.ts'

describe('probes of partners and receivers', () => {
  it('share two slots in a casino and its sandbox, and leave room for other casinos', async () => {
    const runProbe = createRunProbe(shareHolderOf)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const probe = (casinoId: string) =>
      runProbe(casinoId, () => {
        begun.push(casinoId)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    const running = [probe('lucky'), probe('lucky:test')]
    const refused: unknown[] = await Promise.all(
      ['lucky', 'lucky:test'].map((casinoId) => probe(casinoId).catch((error: unknown) => error)),
    )
    for (const error of refused) expect(error).to.include({ code: 'overloaded' })
    running.push(probe('other'))
    await eventually('the other casino is probed', () => begun.length === 3)
    expect(begun).to.deep.equal(['lucky', 'lucky:test', 'other'])
    for (const end of ends) end()
    await Promise.all(running)
  })
})
