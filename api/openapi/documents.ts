import { setImmediate } from 'node:timers/promises'
import { encode } from '../encoded-text.ts'
import type { EncodedText } from '../encoded-text.ts'
import { createDocumentInSteps } from './document.ts'
import { readViewerScript, readViewerStyle, viewerPage } from './viewer.ts'

/** The served files: the description of the API for programs, and the page, script and style that show it to people. */
export type DocumentName = 'openapi' | 'page' | 'script' | 'style'

/** Loads a document, by its name and the path that the service is served below. */
export type LoadDocument = (name: DocumentName, basePath: string) => Promise<EncodedText>

/**
 * Makes the loader of documents. Each is read or made, hashed and compressed when the first request asks for it, and kept;
 * a failure is not kept.
 */
export function createDocuments(
  makeText: (name: DocumentName, basePath: string) => Promise<string>,
): LoadDocument {
  const made = new Map<string, Promise<EncodedText>>()
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
