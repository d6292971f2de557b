import { chooseEncoding } from './choose-encoding.ts'
import type { EncodedText } from './encoded-text.ts'
import type { EndpointReply, OpenEndpoint } from './endpoint.ts'
import { isMatch } from './endpoints/conditional-reply.ts'

/** Answers with a text in the best encoding that the caller takes, or 304 when the caller has it already. */
export function replyEncoded(
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
