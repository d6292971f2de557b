import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createDocumentInSteps } from './document.ts'
import { renderDocument } from './page.ts'

/** A text that changes with a deployment only: as it is and compressed, each under a tag of its own. */
export interface Document {
  identity: Encoded
  gzip: Encoded
  br: Encoded
}

export interface Encoded {
  body: Buffer
  tag: string
}

export interface Documents {
  /** The description of the API, for programs. */
  openapi: Document
  /** The same, for people. */
  page: Document
}

const made = new Map<string, Promise<Documents>>()

/**
 * Both documents. They are made, hashed and compressed when the first request asks for them, in steps between which other
 * requests are served; after that, sending them costs next to nothing. Most processes are never asked.
 */
export function loadDocuments(basePath: string): Promise<Documents> {
  const known = made.get(basePath)
  if (known !== undefined) return known
  const making = makeDocuments(basePath)
  made.set(basePath, making)
  return making
}

async function makeDocuments(basePath: string): Promise<Documents> {
  const document = await runInSteps(createDocumentInSteps(basePath))
  const json = JSON.stringify(document)
  await setImmediate()
  const html = renderDocument(document)
  const [openapi, page] = await Promise.all([encode(json), encode(html)])
  return { openapi, page }
}

async function runInSteps<Value>(steps: Generator<undefined, Value>): Promise<Value> {
  let step = steps.next()
  while (step.done !== true) {
    await setImmediate()
    step = steps.next()
  }
  return step.value
}

/** The best quality takes seconds for a few percent. */
const brotliQuality = 9

async function encode(text: string): Promise<Document> {
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
