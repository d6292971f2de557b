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
 * Every body is read as text first, whatever it claims to be, so that its size is judged before its contents. Compressed
 * bodies are judged by their size after decompression, and reading stops there.
 */
function createReadBody(bytesMax: number): ReadBodyOf {
  const parseAsText = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(bytesMax),
    onerror: (error) => {
      throw error
    },
  })
  return async (ctx) => {
    if (Number(ctx.get('Content-Length')) > bytesMax) throw tooLarge(ctx)
    try {
      await parseAsText(ctx, nothing)
    } catch (error) {
      if (statusOf(error) === 413) throw tooLarge(ctx)
      // Undecodable (400), of an unknown encoding (415), or broken off: there is nothing to be read.
      return { kind: 'unreadable' }
    }
    return parseJson(ctx.get('Content-Type'), ctx.request.body)
  }
}

function parseJson(contentType: string, body: unknown): ReadBody {
  if (typeof body !== 'string' || body === '') {
    return contentType === '' || isJson(contentType) ? { kind: 'no_object' } : { kind: 'unreadable' }
  }
  if (!isJson(contentType)) return { kind: 'unreadable' }
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { kind: 'object', value: value as Record<string, unknown> }
      : { kind: 'no_object' }
  } catch {
    return { kind: 'unreadable' } // JSON's own message would repeat part of the body
  }
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType.trim())
}

/** The rest of the body is not wanted, and on this connection nothing could be told apart from it. */
function tooLarge(ctx: Context): RewardsError {
  ctx.set('Connection', 'close')
  return new RewardsError('body_too_large')
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
}

const nothing: Next = () => Promise.resolve()
