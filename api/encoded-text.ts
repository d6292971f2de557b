import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A text that changes with a deployment only: as it is and compressed, each under a tag of its own. */
export interface EncodedText {
  identity: Encoded
  gzip: Encoded
  br: Encoded
}

export interface Encoded {
  body: Buffer
  tag: string
}

/** The best quality takes seconds for a few percent. */
const brotliQuality = 9

/** Hashes and compresses a text. */
export async function encode(text: string): Promise<EncodedText> {
  const body = Buffer.from(text)
  const [gzipped, brotlied] = await Promise.all([
    promisify(gzip)(body, { level: 9 }),
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  ])
  const tag = createHash('sha256').update(body).digest('base64url')
  return {
    identity: { body, tag },
    gzip: { body: gzipped, tag: `${tag}-gzip` },
    br: { body: brotlied, tag: `${tag}-br` },
  }
}
