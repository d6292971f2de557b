import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createDocumentInSteps } from './document.ts'
import { readViewerScript, readViewerStyle, viewerPage } from './viewer.ts'

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

/** What is served: the description of the API for programs, and the page, script and style that show it to people. */
export type DocumentName = 'openapi' | 'page' | 'script' | 'style'

/** Loads a document, by its name and the path that the service is served below. */
export type LoadDocument = (name: DocumentName, basePath: string) => Promise<Document>

/**
 * Makes the loader of documents. Each is read or made, hashed and compressed when the first request asks for it, and kept;
 * a failure is not kept.
 */
export function createDocuments(
  makeText: (name: DocumentName, basePath: string) => Promise<string>,
): LoadDocument {
  const made = new Map<string, Promise<Document>>()
  return (name, basePath) => {
    const key = `${name} ${basePath}`
    const known = made.get(key)
    if (known !== undefined) return known
    const making = makeText(name, basePath).then(encode)
    made.set(key, making)
    making.catch(() => made.delete(key))
    return making
  }
}

/**
 * The documents of this process. They are made in steps between which other requests are served; after that, sending one
 * costs next to nothing. Most processes are never asked.
 */
export const loadDocument: LoadDocument = createDocuments(makeText)

async function makeText(name: DocumentName, basePath: string): Promise<string> {
  switch (name) {
    case 'openapi':
      return JSON.stringify(await runInSteps(createDocumentInSteps(basePath)))
    case 'page':
      return viewerPage
    case 'script':
      return readViewerScript()
    case 'style':
      return readViewerStyle()
    default:
      return name satisfies never
  }
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
