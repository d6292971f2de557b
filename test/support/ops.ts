import { adminApiKey } from './config.ts'
import type { Client, Reply } from './client.ts'

/** Sends the login form as a browser does. */
export function postLogin(
  client: Client,
  key: string,
  headers: Record<string, string> = {},
  path = '/ops/login',
): Promise<Reply> {
  return client.send('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ username: 'admin', key }).toString(),
  })
}

/** Logs in and returns the `Cookie` header to send from then on. */
export async function logIn(client: Client): Promise<{ Cookie: string }> {
  const reply = await postLogin(client, adminApiKey)
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`no session after the login: ${reply.status}`)
  return { Cookie: cookie }
}
