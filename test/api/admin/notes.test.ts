import { expect } from 'chai'
import { changeAsOwner } from '../../support/owner.ts'
import { createEraseWaitingPlayers } from '../../../core/privacy/erase-player.ts'
import { rowsMax } from '../../../core/privacy/export-player.ts'
import { sql } from '../../../core/platform/sql.ts'
import type { Reply } from '../../support/client.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { logIn } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('notes about prizes', () => {
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

  const add = (prizeId: string, body: unknown, headers: Record<string, string> = {}) =>
    service.client.send('POST', `/admin/casinos/${casino.id}/prizes/${prizeId}/notes`, {
      headers: {
        Authorization: `Bearer ${casino.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  const addAs = (cookie: { Cookie: string }, prizeId: string, body: unknown) =>
    service.client.send('POST', `/admin/casinos/${casino.id}/prizes/${prizeId}/notes`, {
      headers: { ...cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify(body),
    })
  const timelineOf = (prizeId: string) => operator.get(`/${casino.id}/prizes/${prizeId}/timeline`)
  const notesIn = (timeline: Reply) =>
    listAt(timeline, 'data.entries').filter(
      (entry) => Reflect.get(entry as object, 'kind') === 'note',
    ) as object[]
  const textsOf = async (prizeId: string) => fieldOf(notesIn(await timelineOf(prizeId)), 'detail')
  const exportOf = (playerId: string, body?: object) =>
    operator.post(`/${casino.id}/players/${playerId}/export`, body)
  const erase = (playerId: string) =>
    operator.post(`/${casino.id}/players/${playerId}/erase`, { reason: 'asked by letter' })

  it('stand in the timeline under their author’s name, and not beside an action of the same request', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const cookie = await logIn(service, { role: 'support' })
    const added = await addAs(cookie, prizeId, { text: '  The mug was broken\nwhen it came  ' })
    expect(added.status, added.text).to.equal(201)
    expect(at(added, 'data')).to.deep.include({
      prize_id: prizeId,
      request_id: added.headers.get('X-Request-Id'),
    })
    expect(textAt(added, 'data.actor')).to.match(/^operator:support-/)
    expect(added.text).not.to.include('mug')
    const timeline = await timelineOf(prizeId)
    expect(timeline.headers.get('Cache-Control')).to.equal('no-store')
    expect(notesIn(timeline)).to.have.length(1)
    expect(notesIn(timeline)[0]).to.deep.include({
      object: { type: 'note', id: textAt(added, 'data.note_id') },
      what: 'note',
      actor: textAt(added, 'data.actor'),
      detail: 'The mug was broken\nwhen it came',
      request_id: textAt(added, 'data.request_id'),
    })
    expect(fieldOf(listAt(timeline, 'data.entries'), 'kind')).not.to.include('action')
    const search = await service.client.send('GET', `/admin/search?q=${textAt(added, 'data.note_id')}`, {
      headers: cookie,
    })
    expect(at(search, 'data.results.0')).to.deep.include({ type: 'prize', id: prizeId })
  })

  it('keep markup, right-to-left marks and 5,000 characters as they are, and refuse more and less', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const good = ['<script>alert(1)</script>', '\u202eetirw\u202c \u2067אבג\u2069', 'é'.repeat(5_000), '0']
    for (const text of good) expect((await add(prizeId, { text })).status).to.equal(201)
    expect(await textsOf(prizeId)).to.deep.equal(good)
    const wrong = [{}, { text: '' }, { text: ' \n ' }, { text: null }, { text: 5 }, { text: ['x'] }]
    for (const body of [...wrong, { text: 'x'.repeat(5_001) }, { text: 'a\0b' }, { text: '\ud800' }]) {
      const reply = await add(prizeId, body)
      expect(reply.status, JSON.stringify(body).slice(0, 50)).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['text'])
    }
    const key = await add(prizeId, { text: `Her key is ${casino.apiKey}` })
    expect(key.headers.get('X-Error-Code')).to.equal('api_key_misplaced')
    expect(await textsOf(prizeId)).to.have.length(good.length)
  })

  it('are encrypted, each under its own key, which opens no other row', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    for (const text of ['Ann Miller called', 'Ann Miller called']) await add(prizeId, { text })
    const rows = await service.database.prizeNote.findMany({ where: { prizeId } })
    expect(rows).to.have.length(2)
    const [one, other] = rows
    expect(one?.textCiphertext).not.to.deep.equal(other?.textCiphertext)
    for (const row of rows) {
      const bytes = Buffer.from(row.textCiphertext).toString('latin1')
      expect(bytes + JSON.stringify({ ...row, textCiphertext: null })).not.to.include('Miller')
    }
    await service.database.prizeNote.update({
      where: { id: other?.id ?? '' },
      data: { textCiphertext: one?.textCiphertext ?? Buffer.of(), textKey: one?.textKey ?? Buffer.of() },
    })
    expect(await textsOf(prizeId)).to.deep.equal(['Ann Miller called', null])
  })

  it('are in no entry of the audit trail, which records each reading of them', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    await add(prizeId, { text: 'unmistakable-words' })
    await add(prizeId, { text: 'unmistakable-words'.repeat(500) })
    for (let count = 0; count < 2; count++) await timelineOf(prizeId)
    const entries = await service.database.auditEntry.findMany({
      where: { casinoId: casino.id },
      orderBy: { id: 'asc' },
      omit: { txid: true },
    })
    expect(JSON.stringify(entries)).not.to.include('unmistakable')
    const ofPrize = entries.filter(({ params }) => params.includes(prizeId))
    expect(
      ofPrize.map(({ action, outcome }) => `${action.replace(/.*:prize_id/, '')} ${outcome}`),
    ).to.deep.equal([
      '/notes requested',
      '/notes 201',
      '/notes requested',
      '/notes 400 parameters_invalid',
      '/timeline 200',
      '/timeline 200',
    ])
  })

  it('are added once under an Idempotency-Key, whose stored answer has no text', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const key = { 'Idempotency-Key': `note-${prizeId}` }
    const [one, again] = [
      await add(prizeId, { text: 'once' }, key),
      await add(prizeId, { text: 'once' }, key),
    ]
    expect(again.status).to.equal(201)
    expect(again.headers.get('Idempotency-Replayed')).to.equal('true')
    expect(again.json).to.deep.equal(one.json)
    expect((await add(prizeId, { text: 'twice' }, key)).status).to.equal(422)
    expect(await textsOf(prizeId)).to.deep.equal(['once'])
  })

  it('are refused to viewers and finance, and to prizes of other casinos or that do not exist', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    for (const role of ['viewer', 'finance'] as const) {
      const refused = await addAs(await logIn(service, { role }), prizeId, { text: 'x' })
      expect(refused.status, role).to.equal(403)
    }
    const other = await service.factory.casino()
    const its = createOperator(service.client, other.apiKey)
    for (const id of [prizeId, 'none']) {
      const reply = await its.post(`/${other.id}/prizes/${id}/notes`, { text: 'x' })
      expect(reply.status).to.equal(404)
      expect(reply.headers.get('X-Error-Code')).to.equal('prize_unknown')
    }
    const foreign = await logIn(service, { role: 'support', casinoIds: [other.id] })
    expect((await addAs(foreign, prizeId, { text: 'x' })).status).to.equal(404)
    expect(await service.database.prizeNote.count({ where: { prizeId } })).to.equal(0)
  })

  it('are erased with the player, and later ones when the erasure is requested again', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'forgotten' })
    const { prizeId: kept } = await service.factory.prize(casino.id, { playerId: 'remembered' })
    for (const id of [prizeId, prizeId, kept]) await add(id, { text: 'personal' })
    expect((await erase('forgotten')).status).to.equal(200)
    expect(await textsOf(prizeId)).to.deep.equal([null, null])
    expect(await textsOf(kept)).to.deep.equal(['personal'])
    const rows = await service.database.prizeNote.findMany({ where: { prizeId } })
    for (const { textCiphertext, textKey, textKeyId } of rows) {
      expect([textCiphertext.length, textKey, textKeyId]).to.deep.equal([0, null, null])
    }
    await add(prizeId, { text: 'he came back' })
    expect(await textsOf(prizeId)).to.deep.equal([null, null, 'he came back'])
    await erase('forgotten')
    expect(await textsOf(prizeId)).to.deep.equal([null, null, null])
    expect((await exportOf('forgotten')).text).not.to.include('came back')
  })

  it('are erased by a worker if the process died after the request was recorded', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'interrupted' })
    await add(prizeId, { text: 'personal' })
    await service.database.$executeRaw`
      INSERT INTO player (casino_id, id, erase_requested_at) VALUES (${casino.id}::text, 'interrupted', now())
          ON CONFLICT (casino_id, id) DO UPDATE SET erase_requested_at = now(), erased_at = NULL`
    await createEraseWaitingPlayers(service.deps)()
    expect(await textsOf(prizeId)).to.deep.equal([null])
    const player = { where: { casinoId_id: { casinoId: casino.id, id: 'interrupted' } } }
    expect((await service.database.player.findUniqueOrThrow(player)).erasedAt).not.to.equal(null)
  })

  it('are erased even if they are being written while the player is erased', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'busy' })
    await service.database.player.createMany({
      data: { casinoId: casino.id, id: 'busy' },
      skipDuplicates: true,
    })
    const written = await Promise.all(Array.from({ length: 10 }, () => add(prizeId, { text: 'personal' })))
    const [erased] = await Promise.all([
      erase('busy'),
      ...Array.from({ length: 10 }, () => add(prizeId, { text: 'personal' })),
    ])
    expect(written.map(({ status }) => status)).to.deep.equal(written.map(() => 201))
    expect(erased.status).to.equal(200)
    const { eraseRequestedAt } = await service.database.player.findUniqueOrThrow({
      where: { casinoId_id: { casinoId: casino.id, id: 'busy' } },
    })
    const rows = await service.database.prizeNote.findMany({ where: { prizeId } })
    expect(rows).to.have.length(20)
    const earlier = rows.filter(({ createdAt }) => createdAt < (eraseRequestedAt ?? new Date(0)))
    expect(earlier.length).to.be.at.least(10)
    expect(earlier.filter(({ textKey }) => textKey !== null)).to.deep.equal([])
  })

  it('are in the player’s export, page by page', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'curious' })
    const added = await add(prizeId, { text: 'Asked for <b>it</b>' })
    const one = await exportOf('curious')
    expect(listAt(one, 'data.notes')).to.deep.equal([
      { ...(at(added, 'data') as object), text: 'Asked for <b>it</b>', damaged: false },
    ])
    await changeAsOwner(
      service.database,
      sql`INSERT INTO prize_note (id, casino_id, prize_id, player_id, text_ciphertext, actor, request_id, created_at)
          SELECT 'nte_0' || lpad(n::text, 5, '0'), casino_id, prize_id, player_id, '', actor, request_id, created_at
            FROM prize_note, generate_series(1, ${rowsMax}::int) AS n WHERE id = ${textAt(added, 'data.note_id')}::text`,
    )
    const first = await exportOf('curious')
    expect(at(first, 'data.complete')).to.equal(false)
    expect(listAt(first, 'data.notes')).to.have.length(rowsMax)
    const rest = await exportOf('curious', { cursor: textAt(first, 'data.next_cursor') })
    expect(at(rest, 'data.complete')).to.equal(true)
    expect(fieldOf(listAt(rest, 'data.notes'), 'note_id')).to.deep.equal(['nte_000001'])
  })
})
