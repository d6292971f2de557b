import Joi from 'joi'
import { getCasino, listCasinos, putCasino } from '../../core/casino/casinos.ts'
import type { Casino } from '../../core/casino/casinos.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { pathId } from './inputs.ts'
import { pageInput, parseListQuery, renderPage } from './paging.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

const casinoInput = Joi.object<{ name: string }>({ name: text(200).required() })

/** `PUT /admin/casinos/{casino_id}`: the admin creates or renames a casino; a casino can only rename itself. */
export function createPutCasino({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const id = pathId(request, 'casino_id')
    const { name } = parseInput(casinoInput, request.body)
    return { body: success(renderCasino(await putCasino(database, clock.now(), { id, name }))) }
  }
}

/** `GET /admin/casinos/{casino_id}` */
export function createGetCasino({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId }) => ({ body: success(renderCasino(await getCasino(database, casinoId))) })
}

/** `GET /admin/casinos`, for the admin alone. */
export function createListCasinos({ database }: Deps): AdminEndpoint {
  return async ({ query }) => {
    const { page } = parseListQuery(pageInput, query)
    return { body: renderPage(await listCasinos(database, page), renderCasino) }
  }
}

function renderCasino({ id, name, createdAt, updatedAt }: Casino): object {
  return { casino_id: id, name, created_at: createdAt, updated_at: updatedAt }
}
