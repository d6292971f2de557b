import type { Context, Next } from 'koa'
import bodyParser from 'koa-bodyparser'
import { RewardsError } from '../../core/errors.ts'
import type { ReadBody } from '../parse-input.ts'

/** All fields of an order at their longest, written entirely in JSON's \u escapes, are 21 kB. */
const playBodyBytesMax = 64 * 1024
/** A thousand grants or box entries. */
const adminBodyBytesMax = 1024 * 1024

/** Reads the request's body. Throws `body_too_large`. */
export type ReadBodyOf = (ctx: Context) => Promise<ReadBody>

export const readPlayBody = createReadBody(playBodyBytesMax)
export const readAdminBody = createReadBody(adminBodyBytesMax)

/**
 * Every body is first read as it is, not as its headers claim, so that its size is judged before its contents. Compressed
 * bodies are judged by their size after decompression, and reading stops there.
 */
function createReadBody(bytesMax: number): ReadBodyOf {
  const options: bodyParser.Options & { encoding: string } = {
    enableTypes: ['text'],
    // Documented, but not in the types. Without one the "text" is a Buffer: decoding here would replace invalid bytes.
    encoding: '',
    textLimit: String(bytesMax),
    onerror: (error) => {
      throw error
    },
  }
  const parseAsBytes = bodyParser(options)
  return async (ctx) => {
    if (Number(ctx.get('Content-Length')) > bytesMax) throw tooLarge(ctx)
    const contentType = ctx.get('Content-Type')
    // All that koa-bodyparser needs of a context to read text. `is` compares no types: every typed body is read, and a
    // pattern for all types takes as long to match as the body to read.
    const request = { is: () => contentType !== '' && hasBody(ctx.headers), body: undefined as unknown }
    try {
      await parseAsBytes({ req: ctx.req, request } as unknown as Context, nothing)
    } catch (error) {
      if (statusOf(error) === 413) throw tooLarge(ctx)
      // Undecodable (400), of an unknown encoding (415), or broken off: there is nothing to be read.
      return { kind: 'unreadable' }
    }
    ctx.request.body = request.body
    return parseJson(contentType, request.body)
  }
}

/** See RFC 9112, 6.3. */
function hasBody(headers: Context['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function parseJson(contentType: string, body: unknown): ReadBody {
  if (!(body instanceof Buffer) || body.length === 0) {
    return contentType === '' || isJson(contentType) ? { kind: 'no_object' } : { kind: 'unreadable' }
  }
  if (!isJson(contentType)) return { kind: 'unreadable' }
  if (!isFlat(body)) {
    const { depth, values } = measure(body)
    if (depth > depthMax) return { kind: 'unreadable' }
    if (values > valuesMax) throw new RewardsError('body_too_large')
  }
  try {
    const value: unknown = JSON.parse(utf8.decode(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { kind: 'object', value: value as Record<string, unknown> }
      : { kind: 'no_object' }
  } catch {
    return { kind: 'unreadable' } // JSON's own message would repeat part of the body
  }
}

/** Nothing here needs more than five. JSON.parse takes any depth, but the code that walks through the value later does not. */
const depthMax = 32
/** A thousand entries or grants are 6,000. Validating takes longer for each value than reading it. */
const valuesMax = 10_000

/** Too short for too many values, and no object or array in another. */
function isFlat(json: Buffer): boolean {
  return json.length <= valuesMax && !json.includes(openBrace, 1) && !json.includes(openBracket, 1)
}

const openBrace = 0x7b
const openBracket = 0x5b
const quote = 0x22
const backslash = 0x5c

/**
 * The depth of nested objects and arrays in JSON text, and an upper bound of its values; the contents of strings do not
 * count.
 */
function measure(json: Buffer): { depth: number; values: number } {
  let [depth, deepest, values] = [0, 0, 0]
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === openBracket || byte === openBrace) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === 0x2c) values++
  }
  return { depth: deepest, values }
}

/**
 * Throws at bytes that are no UTF-8: replacing them would map different ids to one. A byte order mark stays, which
 * JSON does not allow.
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** JSON is UTF-8; text in another charset (except ASCII, a part of UTF-8) would be misread. */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  if (!/^\s*application\/json\s*(;|$)/i.test(contentType)) return false
  const [, charset] = /;\s*charset\s*=\s*("[^"]*"|[^\s;]*)/i.exec(contentType) ?? []
  return charset === undefined || /^("?)(utf-?8|us-ascii)\1$/i.test(charset)
}

/** The rest of the body is not read, so a next request on this connection could not be told apart from it. */
function tooLarge(ctx: Context): RewardsError {
  ctx.set('Connection', 'close')
  return new RewardsError('body_too_large')
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
}

const nothing: Next = () => Promise.resolve()
