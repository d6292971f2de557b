import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../crypto/derive-key.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { RunScript } from '../queue/queue-backend.ts'

/** A chain's end at some time. */
export interface ChainHead {
  casinoId: string
  sequence: bigint
  hash: Uint8Array
}

/**
 * The remembered ends of chains, kept where a change of the database does not reach: in this process, and for all
 * processes in Redis, if there is one. Each is signed, so that it cannot be forged.
 */
export interface HeadMemory {
  /** Casinos without a remembered end are left out. */
  recall(casinoIds: readonly string[]): Promise<ReadonlyMap<string, ChainHead>>
  remember(heads: readonly ChainHead[]): Promise<void>
  /** The casinos with a remembered end, also those that the database has lost. Ordered. */
  casinoIds(): Promise<readonly string[]>
  /** Whether a signed entry was ever chained: from then on unsigned ones are refused. */
  isSigning(): Promise<boolean>
  rememberSigning(): Promise<void>
}

const prefix = 'head:'
const field = (casinoId: string) => `${prefix}${casinoId}`
const list = `return redis.call('HKEYS', KEYS[1])`
const read = `return redis.call('HMGET', KEYS[1], unpack(ARGV))`
const write = `return redis.call('HSET', KEYS[1], unpack(ARGV))`
const keys = ['audit-heads']
/** Remembered like the end of a trail, under an id that no casino has. */
const signing: ChainHead = { casinoId: '\0signing', sequence: 1n, hash: Buffer.alloc(32) }
/**
 * After a time-out, Redis is not asked again for this long: each question would wait until it is given up, and block
 * all of them.
 */
const restMs = 10_000
const headPattern = /^(\d{1,19}):([0-9a-f]{64}):([0-9a-f]{64})$/

export function createHeadMemory(deps: {
  hashSecret: string
  runScript: RunScript | undefined
  log: Pick<Logger, 'warn'>
  nowMs?: () => number
}): HeadMemory {
  const { runScript, log, nowMs = monotonicMs } = deps
  const key = deriveKey(deps.hashSecret, 'audit-head')
  const own = new Map<string, ChainHead>()
  let aloneSinceMs: number | undefined

  const signatureOf = ({ casinoId, sequence, hash }: ChainHead) =>
    createHmac('sha256', key)
      .update(JSON.stringify([casinoId, String(sequence), Buffer.from(hash).toString('hex')]))
      .digest()

  function parse(casinoId: string, text: unknown): ChainHead | undefined {
    const [, sequence, hash, signature] = typeof text === 'string' ? (headPattern.exec(text) ?? []) : []
    if (sequence === undefined || hash === undefined || signature === undefined) return undefined
    const head = { casinoId, sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') }
    return timingSafeEqual(signatureOf(head), Buffer.from(signature, 'hex')) ? head : undefined
  }

  /** If Redis is away, this process uses its own memory. */
  async function shared(script: string, args: readonly string[]): Promise<readonly unknown[]> {
    if (runScript === undefined) return []
    if (aloneSinceMs !== undefined && nowMs() - aloneSinceMs < restMs) return []
    try {
      const answer = await runScript(script, keys, args)
      aloneSinceMs = undefined
      const texts: readonly unknown[] = Array.isArray(answer) ? answer : []
      return texts
    } catch (error) {
      if (aloneSinceMs === undefined)
        log.warn({ err: error }, 'audit heads kept in this process only: Redis unavailable')
      aloneSinceMs = nowMs()
      return []
    }
  }

  const memory: HeadMemory = {
    isSigning: async () => (await memory.recall([signing.casinoId])).size > 0,
    rememberSigning: () => memory.remember([signing]),
    casinoIds: async () => {
      const fields = (await shared(list, [])).filter((text) => typeof text === 'string')
      const shown = fields.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length))
      const all = new Set([...own.keys(), ...shown])
      all.delete(signing.casinoId)
      return [...all].sort()
    },
    recall: async (casinoIds) => {
      if (casinoIds.length === 0) return new Map()
      const texts = await shared(read, casinoIds.map(field))
      const heads = new Map<string, ChainHead>()
      for (const [index, casinoId] of casinoIds.entries()) {
        const known = [own.get(casinoId), parse(casinoId, texts[index])].filter((head) => head !== undefined)
        const [furthest] = known.sort((a, b) => Number(b.sequence - a.sequence))
        if (furthest === undefined) continue
        heads.set(casinoId, furthest)
        own.set(casinoId, furthest)
      }
      return heads
    },
    remember: async (heads) => {
      if (heads.length === 0) return
      for (const head of heads) own.set(head.casinoId, head)
      const texts = heads.flatMap((head) => {
        const hash = Buffer.from(head.hash).toString('hex')
        return [field(head.casinoId), `${head.sequence}:${hash}:${signatureOf(head).toString('hex')}`]
      })
      await shared(write, texts)
    },
  }
  return memory
}
