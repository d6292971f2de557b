import Joi from 'joi'
import { getCasino, listCasinos, putCasino, renameCasino } from '../../core/casino/casinos.ts'
import type { Casino } from '../../core/casino/casinos.ts'
import { isSandboxId } from '../../core/casino/sandbox.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { parseInput, text } from '../parse-input.ts'
import { casinoIdOf } from './casino-endpoint.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { inputError, refuseLookAlike } from '../inputs.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

export const casinoInput = Joi.object<{ name: string }>({ name: text(200).required() })

/**
 * `PUT /admin/casinos/{casino_id}`: the admin creates or renames a casino; a casino can only rename itself. A sandbox can
 * be renamed, but is made together with its first key only, so that none is without its casino.
 */
export function createPutCasino({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const id = casinoIdOf(request)
    const { name } = parseInput(casinoInput, request.body)
    await refuseLookAlike('casino_id', id, async () => (await database.casino.count({ where: { id } })) > 0)
    const put = isSandboxId(id) ? renameCasino : putCasino
    const casino = await put(database, clock.now(), { id, name })
    if (casino !== undefined) return { body: success(renderCasino(casino)) }
    throw inputError(
      'casino_id',
      'invalid',
      'casino_id must not end in :test: a sandbox is made when its casino gets its first key of mode test',
    )
  }
}

/** `GET /admin/casinos/{casino_id}` */
export function createGetCasino({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId }) => ({ body: success(renderCasino(await getCasino(database, casinoId))) })
}

/** `GET /admin/casinos`, for the admin alone. */
export function createListCasinos({ database }: Deps): AdminEndpoint {
  return async ({ query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listCasinos(database, page), renderCasino, page) }
  }
}

function renderCasino({ id, name, sandboxOf, createdAt, updatedAt }: Casino): object {
  return { casino_id: id, name, sandbox_of: sandboxOf, created_at: createdAt, updated_at: updatedAt }
}
