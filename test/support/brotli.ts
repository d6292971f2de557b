import { brotliCompressSync, constants } from 'node:zlib'

/** Packs as small as the best quality, which is the default and takes seconds for the contents of a bomb. */
export const packBrotli = (content: string | Uint8Array): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
