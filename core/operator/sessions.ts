import { createHmac, timingSafeEqual } from 'node:crypto'
import { RewardsError } from '../errors.ts'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { randomBytes } from '../platform/random.ts'
import { toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import { hasOpenWay } from './sign-in-ways.ts'
import type { SignInWays } from './sign-in-ways.ts'

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

/**
 * Returns the token for the browser: `<session id>.<secret>`. Throws `single_sign_on_stale` for a sign-on that has made a
 * session already.
 */
export async function createSession(
  { database, hashSecret }: Deps,
  now: Date,
  of: { operatorId: string; address: string; userAgent: string; signOnHash?: Buffer },
): Promise<string> {
  const id = newId('ses', now)
  const token = `${id}.${randomBytes(tokenBytes).toString('base64url')}`
  const { count } = await database.operatorSession.createMany({
    data: {
      id,
      operatorId: of.operatorId,
      tokenHash: Uint8Array.from(hashToken(hashSecret, token)),
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + sessionLifetimeMs),
      address: of.address,
      userAgent: of.userAgent.slice(0, userAgentMax),
      signOnHash: of.signOnHash === undefined ? null : Uint8Array.from(of.signOnHash),
    },
    skipDuplicates: true,
  })
  if (count === 0) throw new RewardsError('single_sign_on_stale')
  return token
}

/** The operator who is signed in with a token. */
export interface SignedIn {
  sessionId: string
  operator: OperatorRecord
}

/**
 * Undefined if the token is invalid, the session has ended or expired, the operator is disabled, or the way in which the
 * operator signs in is switched off. Read from the database each time, so that changes apply immediately.
 */
export async function findSession(
  { database, hashSecret, ways }: Deps & { ways: SignInWays },
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
  if (operator.state !== 'active' || !hasOpenWay(ways, operator)) return undefined
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

/** The same for one session. Throws `session_unknown` if the operator does not have it. */
export async function endSessionOf(
  database: Database,
  now: Date,
  session: { operatorId: string; sessionId: string },
): Promise<number> {
  const { operatorId, sessionId: id } = session
  const isOwn = (await database.operatorSession.count({ where: { id, operatorId } })) > 0
  if (!isOwn) throw new RewardsError('session_unknown')
  return endSessions(database, now, session)
}

/** Tokens are random, so a fast keyed hash is enough. */
function hashToken(hashSecret: string, token: string): Buffer {
  return createHmac('sha256', `${hashSecret}/operator-session`).update(token).digest()
}
