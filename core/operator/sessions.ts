import { createHmac, timingSafeEqual } from 'node:crypto'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { randomBytes } from '../platform/random.ts'
import { toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'

interface Deps {
  database: Database
  hashSecret: string
}

/** A working day; then the operator must sign in again. */
export const sessionLifetimeMs = 8 * 60 * 60_000
/** A session that is idle for this long ends. */
const idleMs = 60 * 60_000
/** The minimum time between two writes of `seen_at`. */
const seenEveryMs = 60_000

const tokenBytes = 32
/** The maximum stored length of a browser's name. */
const userAgentMax = 300

/** An operator's session in a browser. */
export interface SessionRecord {
  id: string
  createdAt: Date
  /** Up to a minute late. */
  seenAt: Date
  expiresAt: Date
  endedAt: Date | null
  address: string
  userAgent: string
}

/** Returns the token for the browser: `<session id>.<secret>`. */
export async function createSession(
  { database, hashSecret }: Deps,
  now: Date,
  of: { operatorId: string; address: string; userAgent: string },
): Promise<string> {
  const id = newId('ses', now)
  const token = `${id}.${randomBytes(tokenBytes).toString('base64url')}`
  await database.operatorSession.create({
    data: {
      id,
      operatorId: of.operatorId,
      tokenHash: Uint8Array.from(hashToken(hashSecret, token)),
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + sessionLifetimeMs),
      address: of.address,
      userAgent: of.userAgent.slice(0, userAgentMax),
    },
  })
  return token
}

/** The operator who is signed in with a token. */
export interface SignedIn {
  sessionId: string
  operator: OperatorRecord
}

/**
 * Undefined if the token is invalid, the session has ended or expired, or the operator is disabled. Read from the
 * database each time, so that changes apply immediately.
 */
export async function findSession(
  { database, hashSecret }: Deps,
  now: Date,
  token: string,
): Promise<SignedIn | undefined> {
  const [, id] = /^(ses_[0-9a-f]{32})\.[A-Za-z0-9_-]{43}$/.exec(token) ?? []
  if (id === undefined) return undefined
  const session = await database.operatorSession.findUnique({ where: { id }, include: { operator: true } })
  if (session === null || session.endedAt !== null) return undefined
  if (!timingSafeEqual(hashToken(hashSecret, token), session.tokenHash)) return undefined
  const idleSince = new Date(now.getTime() - idleMs)
  if (session.expiresAt <= now || session.seenAt <= idleSince) return undefined
  const operator = toOperator(session.operator)
  if (operator.state !== 'active') return undefined
  const seenBefore = new Date(now.getTime() - seenEveryMs)
  if (session.seenAt < seenBefore) {
    await database.operatorSession.updateMany({
      where: { id, seenAt: { lt: seenBefore } },
      data: { seenAt: now },
    })
  }
  return { sessionId: id, operator }
}

/** Including ended ones. */
export async function listSessions(
  database: Database,
  operatorId: string,
  page: ListRequest,
): Promise<Page<SessionRecord>> {
  const { where, ...part } = listQuery(page, 'ses')
  const rows = await database.operatorSession.findMany({ where: { operatorId, ...where }, ...part })
  return toPage(rows, page)
}

/** Ends one session of an operator, all of them, or all but one. Returns the number of active sessions ended. */
export async function endSessions(
  database: Database,
  now: Date,
  { operatorId, sessionId, exceptId }: { operatorId: string; sessionId?: string; exceptId?: string },
): Promise<number> {
  const { count } = await database.operatorSession.updateMany({
    where: {
      operatorId,
      endedAt: null,
      ...(sessionId === undefined ? {} : { id: sessionId }),
      ...(exceptId === undefined ? {} : { id: { not: exceptId } }),
    },
    data: { endedAt: now },
  })
  return count
}

/** Tokens are random, so a fast keyed hash is enough. */
function hashToken(hashSecret: string, token: string): Buffer {
  return createHmac('sha256', `${hashSecret}/operator-session`).update(token).digest()
}
