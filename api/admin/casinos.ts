import { getCasino, hasCasino, listCasinos, putCasino, renameCasino } from '../../core/casino/casinos.ts'
import type { Casino } from '../../core/casino/casinos.ts'
import { isSandboxId } from '../../core/casino/sandbox.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { idInQuery, parseInput, text } from '../parse-input.ts'
import { casinoIdOf } from './casino-endpoint.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { expectedRevisionOrNone, inputError, refuseLookAlike } from '../inputs.ts'
import { count, id, nullable, string, time } from '../../core/shape/json-schema.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

export const casino = shapeOf<Casino>()('Casino', {
  casino_id: field(id, (casino) => casino.id),
  name: field(string, (casino) => casino.name, {
    description: 'Its name.',
    example: 'Acme Casino',
    input: required(text(200)),
  }),
  sandbox_of: field(nullable(id), (casino) => casino.sandboxOf, {
    description: 'The casino whose sandbox it is.',
    example: null,
  }),
  revision: field(count, (casino) => casino.revision),
  created_at: field(time, (casino) => casino.createdAt),
  updated_at: field(time, (casino) => casino.updatedAt),
})

export const casinoInput = requestOf({
  ...inputsOf(casino.fields),
  expected_revision: expectedRevisionOrNone,
})

/**
 * `PUT /admin/casinos/{casino_id}`: the admin creates or renames a casino; a casino can only rename itself. A sandbox
 * can be renamed, but is made only together with its first key, so every sandbox has its casino.
 */
export function createPutCasino({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const casinoId = casinoIdOf(request)
    const { name, expected_revision: expectedRevision } = parseInput(casinoInput, request.body)
    await refuseLookAlike('casino_id', casinoId, () => hasCasino(database, casinoId))
    const put = isSandboxId(casinoId) ? renameCasino : putCasino
    const found = await put(database, clock.now(), { id: casinoId, name, expectedRevision })
    if (found !== undefined) return { body: success(casino.render(found)) }
    throw inputError(
      'casino_id',
      'invalid',
      'casino_id must not end in :test: a sandbox is made when its casino gets its first key of mode test',
    )
  }
}

/** `GET /admin/casinos/{casino_id}` */
export function createGetCasino({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId }) => ({ body: success(casino.render(await getCasino(database, casinoId))) })
}

export const casinosInput = requestOf({
  ...listParameters(),
  starts_with: idInQuery
    .description('Only casinos whose id or name begins with this, in capital or small letters.')
    .example('acme'),
})

/** `GET /admin/casinos`: for the admin key all of them, for a person those that the person works for. */
export function createListCasinos({ database }: Deps): AdminEndpoint {
  return async ({ query, caller }) => {
    const { page, input } = parseListQuery(casinosInput, query)
    const scope = caller.kind === 'person' ? caller.record.casinos : 'all'
    const casinos = await listCasinos(database, page, scope, input.starts_with)
    return { body: renderList(casinos, casino.render, page) }
  }
}
