import type { Config } from '../../core/platform/config.ts'
import { replyEncoded } from '../encoded-reply.ts'
import type { OpenEndpoint } from '../endpoint.ts'
import { loadDocument } from './documents.ts'
import { viewerPolicy } from './viewer.ts'

interface Deps {
  config: Pick<Config, 'basePath'>
}

/** `GET /openapi.json`: the description of the API, for programs. */
export function createOpenApiEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) => replyEncoded(await loadDocument('openapi', config.basePath), request, {})
}

/** `GET /docs`: the same, for people. */
export function createDocsEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    replyEncoded(await loadDocument('page', config.basePath), request, {
      'Content-Security-Policy': viewerPolicy,
      'Content-Type': 'text/html; charset=utf-8',
    })
}

/** `GET /docs/viewer.js`: the page's script. */
export function createViewerScriptEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    replyEncoded(await loadDocument('script', config.basePath), request, {
      'Content-Type': 'text/javascript; charset=utf-8',
    })
}

/** `GET /docs/viewer.css`: the page's style sheet. */
export function createViewerStyleEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    replyEncoded(await loadDocument('style', config.basePath), request, {
      'Content-Type': 'text/css; charset=utf-8',
    })
}

/** `GET /`: leads people who open the service's address to the page. */
export function createRootEndpoint({ config }: Deps): OpenEndpoint {
  return () => Promise.resolve({ status: 302, body: '', headers: { Location: `${config.basePath}/docs` } })
}
