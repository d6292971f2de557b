import type { Config } from '../../core/platform/config.ts'
import { chooseEncoding } from '../endpoints/choose-encoding.ts'
import type { EndpointReply, OpenEndpoint } from '../endpoint.ts'
import { isMatch } from '../endpoints/conditional-reply.ts'
import { loadDocuments } from './documents.ts'
import type { Document } from './documents.ts'
import { pagePolicy } from './page.ts'

interface Deps {
  config: Pick<Config, 'basePath'>
}

/** `GET /openapi.json`: the description of the API, for programs. */
export function createOpenApiEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) => send((await loadDocuments(config.basePath)).openapi, request, {})
}

/** `GET /docs`: the same, for people. */
export function createDocsEndpoint({ config }: Deps): OpenEndpoint {
  return async (request) =>
    send((await loadDocuments(config.basePath)).page, request, {
      'Content-Security-Policy': pagePolicy,
      'Content-Type': 'text/html; charset=utf-8',
    })
}

function send(
  document: Document,
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
