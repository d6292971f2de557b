import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint } from '../endpoint.ts'
import { conditionalText } from '../endpoints/conditional-reply.ts'
import { createDocument } from './document.ts'
import { pagePolicy, renderDocument } from './page.ts'

type Deps = Pick<ApiDeps, 'config'>

/** It changes with a deployment only. */
const cacheControl = 'public, max-age=300'

/** `GET /openapi.json`: the description of the API, for programs. Made when it is first asked for. */
export function createOpenApiEndpoint({ config }: Deps): OpenEndpoint {
  let text: string | undefined
  return ({ ifNoneMatch }) => {
    text ??= JSON.stringify(createDocument(config.basePath))
    return Promise.resolve(conditionalText(text, ifNoneMatch, { 'Cache-Control': cacheControl }))
  }
}

/** `GET /docs`: the same, for people. */
export function createDocsEndpoint({ config }: Deps): OpenEndpoint {
  let page: string | undefined
  return ({ ifNoneMatch }) => {
    page ??= renderDocument(createDocument(config.basePath))
    const headers = {
      'Cache-Control': cacheControl,
      'Content-Security-Policy': pagePolicy,
      'Content-Type': 'text/html; charset=utf-8',
    }
    return Promise.resolve(conditionalText(page, ifNoneMatch, headers))
  }
}
