import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../crypto/derive-key.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { RunScript } from '../queue/queue-backend.ts'

/** What a chain ended with at some time. */
export interface ChainHead {
  casinoId: string
  sequence: bigint
  hash: Uint8Array
}

/**
 * What the chains ended with, kept where a change of the database does not reach: in this process, and for all processes in
 * Redis, where there is one. Each is signed, so that nobody makes one up.
 */
export interface HeadMemory {
  /** Of these casinos; not of those that nobody has remembered anything of. */
  recall(casinoIds: readonly string[]): Promise<ReadonlyMap<string, ChainHead>>
  remember(heads: readonly ChainHead[]): Promise<void>
  /** Of whom anything is remembered, whatever the database still has of them. In order. */
  casinoIds(): Promise<readonly string[]>
  /** Whether a signed entry has ever been chained: from then on others are refused. */
  isSigning(): Promise<boolean>
  rememberSigning(): Promise<void>
}

const prefix = 'head:'
const field = (casinoId: string) => `${prefix}${casinoId}`
const list = `return redis.call('HKEYS', KEYS[1])`
const read = `return redis.call('HMGET', KEYS[1], unpack(ARGV))`
const write = `return redis.call('HSET', KEYS[1], unpack(ARGV))`
const keys = ['audit-heads']
/** Remembered like the end of a trail, of one that no casino has. */
const signing: ChainHead = { casinoId: '\0signing', sequence: 1n, hash: Buffer.alloc(32) }
/**
 * A Redis that hangs is asked one thing in this time: each question waits until it is given up, and a stop for all of
 * them.
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

  /** Redis may be away: then this process goes by what it has seen itself. */
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
        log.warn({ err: error }, 'audit heads are remembered by this process alone')
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
