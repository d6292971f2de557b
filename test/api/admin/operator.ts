import type { Client, Reply } from '../../support/client.ts'

/** Somebody who calls the management API with one key. Paths begin after `/admin/casinos`. */
export interface TestOperator {
  get(path: string): Promise<Reply>
  put(path: string, body: unknown): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
}

export function createOperator(client: Client, apiKey: string): TestOperator {
  const send = (method: string, path: string, body?: unknown) =>
    client.send(method, `/admin/casinos${path}`, {
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    get: (path) => send('GET', path),
    put: (path, body) => send('PUT', path, body),
    post: (path, body) => send('POST', path, body),
    delete: (path) => send('DELETE', path),
  }
}

/** The value at a path such as `data.0.state`; undefined where there is none. */
export function at(reply: Reply, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      reply.json,
    )
}

/** The text at a path; throws when there is none, with the whole answer. */
export function textAt(reply: Reply, path: string): string {
  const value = at(reply, path)
  if (typeof value !== 'string') throw new Error(`no text at ${path}: ${reply.status} ${reply.text}`)
  return value
}

/** The elements of a list's `data`, or of the list at another path. */
export function listAt(reply: Reply, path = 'data'): unknown[] {
  const value = at(reply, path)
  if (!Array.isArray(value)) throw new Error(`no list at ${path}: ${reply.status} ${reply.text}`)
  return value
}

/** One field of each element. */
export function fieldOf(list: readonly unknown[], name: string): unknown[] {
  return list.map((element): unknown =>
    typeof element === 'object' && element !== null ? Reflect.get(element, name) : undefined,
  )
}

/** The names of the parameters that a 400 complains about. */
export function complaintsOf(reply: Reply): string[] {
  const errors = at(reply, 'errors')
  return typeof errors === 'object' && errors !== null ? Object.keys(errors).sort() : []
}

/** Reads a list to its end, `limit` at a time, and gives one field of all elements. */
export async function readAll(
  operator: TestOperator,
  path: string,
  limit: number,
  name: string,
): Promise<unknown[]> {
  const fields: unknown[] = []
  for (let cursor = '', pages = 0; pages < 100; pages++) {
    const separator = path.includes('?') ? '&' : '?'
    const reply = await operator.get(`${path}${separator}limit=${limit}${cursor}`)
    const page = listAt(reply)
    if (page.length > limit) throw new Error(`a page of ${page.length}`)
    fields.push(...fieldOf(page, name))
    if (at(reply, 'next_cursor') === undefined) return fields
    cursor = `&cursor=${textAt(reply, 'next_cursor')}`
  }
  throw new Error('a list without end')
}
