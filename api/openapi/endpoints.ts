import type { Config } from '../../core/platform/config.ts'
import { chooseEncoding } from '../choose-encoding.ts'
import type { EncodedText } from '../encoded-text.ts'
import type { EndpointReply, OpenEndpoint } from '../endpoint.ts'
import { isMatch } from '../endpoints/conditional-reply.ts'
import { loadDocument } from './documents.ts'
import { viewerPolicy } from './viewer.ts'

interface Deps {
  config: Pick<Config, 'basePath'>
}

/** `GET /openapi.json`: the description of the API, for programs. */
export function createOpenApiEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) => send(await loadDocument('openapi', config.basePath), request, {})
}

/** `GET /docs`: the same, for people. */
export function createDocsEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    send(await loadDocument('page', config.basePath), request, {
      'Content-Security-Policy': viewerPolicy,
      'Content-Type': 'text/html; charset=utf-8',
    })
}

/** `GET /docs/viewer.js`: what the page runs. */
export function createViewerScriptEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    send(await loadDocument('script', config.basePath), request, {
      'Content-Type': 'text/javascript; charset=utf-8',
    })
}

/** `GET /docs/viewer.css`: how the page looks. */
export function createViewerStyleEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    send(await loadDocument('style', config.basePath), request, { 'Content-Type': 'text/css; charset=utf-8' })
}

/** `GET /`: leads people who open the service's address to the page. */
export function createRootEndpoint({ config }: Deps): OpenEndpoint {
  return () => Promise.resolve({ status: 302, body: '', headers: { Location: `${config.basePath}/docs` } })
}

function send(
  document: EncodedText,
  { ifNoneMatch, acceptEncoding }: Parameters<OpenEndpoint>[0],
  more: Record<string, string>,
): EndpointReply {
  const encoding = chooseEncoding(acceptEncoding, ['br', 'gzip'])
  const { body, tag } = document[encoding]
  const kept = {
    ...more,
    // It changes with a deployment only.
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
    ETag: `"${tag}"`,
  }
  if (isMatch(ifNoneMatch, tag)) return { status: 304, body: '', headers: kept }
  return encoding === 'identity'
    ? { body, headers: kept }
    : { body, headers: { ...kept, 'Content-Encoding': encoding } }
}
