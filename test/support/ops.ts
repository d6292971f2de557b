import { scryptSync } from 'node:crypto'
import type { OperatorRole } from '../../core/operator/rights.ts'
import { newId } from '../../core/platform/ids.ts'
import type { Client, Reply } from './client.ts'
import type { TestService } from './service.ts'

/** The password of every operator that tests make. */
export const testPassword = 'correct horse battery staple'
/** Cheaper than those that the service makes: each says what it costs. */
const salt = Buffer.alloc(16, 1)
const testHash = `scrypt$1024$8$1$${salt.toString('base64url')}$${scryptSync(testPassword, salt, 32, { N: 1024 }).toString('base64url')}`

let counter = 0

/** Makes an operator who can sign in, by default an admin for all casinos; returns the username. */
export async function makeOperator(
  { database }: Pick<TestService, 'database'>,
  wish: { role?: OperatorRole; casinoIds?: readonly string[]; isSecondFactorRequired?: boolean } = {},
): Promise<{ id: string; username: string }> {
  const now = new Date()
  const { role = 'admin', casinoIds, isSecondFactorRequired = false } = wish
  return database.operator.create({
    data: {
      id: newId('opr', now),
      username: `${role}-${++counter}`,
      name: `Test ${role}`,
      role,
      hasAllCasinos: casinoIds === undefined,
      casinoIds: [...(casinoIds ?? [])],
      passwordHash: testHash,
      isSecondFactorRequired,
      createdAt: now,
      createdBy: 'admin',
      updatedAt: now,
    },
    select: { id: true, username: true },
  })
}

/** Sends a form of the operations pages as a browser does. */
export function postForm(
  client: Client,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return client.send('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
}

export function postLogin(
  client: Client,
  fields: { username?: string; password?: string; code?: string },
  headers: Record<string, string> = {},
  path = '/ops/login',
): Promise<Reply> {
  return postForm(client, path, fields, headers)
}

/** The `Cookie` header of a reply that has signed a person in. */
export function cookieOf(reply: Reply): { Cookie: string } {
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`nobody was signed in: ${reply.status}`)
  return { Cookie: cookie }
}

/** Makes an operator and signs the operator in; returns the `Cookie` header to send from then on. */
export async function logIn(
  service: Pick<TestService, 'database' | 'client'>,
  wish: Parameters<typeof makeOperator>[1] = {},
  path?: string,
): Promise<{ Cookie: string }> {
  const { username } = await makeOperator(service, wish)
  return cookieOf(await postLogin(service.client, { username, password: testPassword }, {}, path))
}
