import { expect } from 'chai'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('a note whose row is damaged', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const prizeWithNotes = async (...texts: string[]) => {
    const prize = await service.factory.prize(casino.id)
    const noteIds: string[] = []
    for (const text of texts) {
      const added = await operator.post(`/${casino.id}/prizes/${prize.prizeId}/notes`, { text })
      expect(added.status, added.text).to.equal(201)
      noteIds.push(textAt(added, 'data.note_id'))
    }
    return { ...prize, noteIds }
  }
  const damage = async (noteId: string | undefined, part: 'text_ciphertext' | 'text_key') => {
    const column = part === 'text_key' ? sql`text_key` : sql`text_ciphertext`
    const changed = await changeAsOwner(
      service.database,
      sql`UPDATE prize_note SET ${column} = set_byte(${column}, 20, get_byte(${column}, 20) # 1) WHERE id = ${noteId ?? ''}::text`,
    )
    expect(changed).to.equal(1)
  }
  const timelineOf = async (prizeId: string) => {
    const timeline = await operator.get(`/${casino.id}/prizes/${prizeId}/timeline`)
    expect(timeline.status, timeline.text).to.equal(200)
    return listAt(timeline, 'data.entries')
  }

  for (const part of ['text_ciphertext', 'text_key'] as const) {
    it(`is named in the timeline beside everything else if its ${part} was altered`, async () => {
      const { prizeId, noteIds } = await prizeWithNotes('before', 'damaged', 'after')
      const [, damagedId] = noteIds
      await damage(damagedId, part)
      const entries = await timelineOf(prizeId)
      const notes = entries.filter((entry) => Reflect.get(entry as object, 'kind') === 'note')
      expect(fieldOf(notes, 'detail')).to.deep.equal(['before', null, 'after'])
      expect(fieldOf(notes, 'damaged')).to.deep.equal([false, true, false])
      expect(fieldOf(notes, 'object')[1]).to.deep.equal({ type: 'note', id: damagedId })
      expect(fieldOf(entries, 'what')).to.include('prize.won')
    })
  }

  it('is named in the export of its player, which has everything else', async () => {
    const { playerId, noteIds } = await prizeWithNotes('damaged', 'sound')
    await damage(noteIds[0], 'text_ciphertext')
    const exported = await operator.post(`/${casino.id}/players/${playerId}/export`)
    expect(exported.status, exported.text).to.equal(200)
    const notes = listAt(exported, 'data.notes')
    expect(fieldOf(notes, 'text')).to.deep.equal(['sound', null])
    expect(fieldOf(notes, 'damaged')).to.deep.equal([false, true])
    expect(listAt(exported, 'data.prizes')).to.have.length(1)
  })

  it('is not called damaged when it was erased with its player', async () => {
    const { prizeId, playerId } = await prizeWithNotes('to be erased')
    const erased = await operator.post(`/${casino.id}/players/${playerId}/erase`, {
      reason: 'asked by letter',
    })
    expect(erased.status, erased.text).to.equal(200)
    const notes = (await timelineOf(prizeId)).filter(
      (entry) => Reflect.get(entry as object, 'kind') === 'note',
    )
    expect(fieldOf(notes, 'detail')).to.deep.equal([null])
    expect(fieldOf(notes, 'damaged')).to.deep.equal([false])
  })
})
