import { addNote } from '../../core/note/add-note.ts'
import type { NoteRecord } from '../../core/note/note.ts'
import { id, string, time } from '../../core/shape/json-schema.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import { pathId } from '../inputs.ts'
import { parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'

export const note = shapeOf<NoteRecord>()('Note', {
  note_id: field(id, (note) => note.id, {
    description: 'The note.',
    example: 'nte_01b977d7aa0076a1b2c3d4e5f6071813',
  }),
  prize_id: field(id, (note) => note.prizeId),
  actor: field(string, (note) => note.actor),
  request_id: field(string, (note) => note.requestId),
  created_at: field(time, (note) => note.createdAt),
})

const textMax = 5_000

export const noteInput = requestOf({
  text: required(text(textMax))
    .description('May contain personal data: it is encrypted, and erased with the player.')
    .example('She asked by telephone whether the mug is dishwasher-safe'),
})

/** `POST …/prizes/{prize_id}/notes`: a note in the prize's timeline. The answer does not repeat the text. */
export function createPostNote(deps: Pick<ApiDeps, 'database' | 'clock' | 'cipher'>): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId, claim } = request
    const prizeId = pathId(request, 'prize_id')
    const input = parseInput(noteInput, request.body)
    const added = await addNote(deps, { casinoId, prizeId, text: input.text, actor, requestId, claim })
    return { status: 201, body: success(note.render(added)) }
  }
}
