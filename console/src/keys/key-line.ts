import type { components } from '../../../client/generated/openapi.ts'

type Key = Pick<
  components['schemas']['ApiKey'],
  'key_id' | 'created_by' | 'rotated_by' | 'rotated_from' | 'revoked_at' | 'expires_at'
>

/**
 * The keys that end together with one, as `DELETE …/api-keys/{key_id}` ends them: all live ones that it made or
 * rotated, directly or not. A key's own keys from before its rotation count as made by its successor too.
 */
export function endingWith<Found extends Key>(keys: readonly Found[], keyId: string, nowMs: number): Found[] {
  const byId = new Map(keys.map((key) => [key.key_id, key]))
  /** Whether a reached key ends: a replaced key is reached only for the keys that it made. */
  const reached = new Map([[keyId, true]])
  const waiting = [keyId]
  const reach = (id: string, ends: boolean) => {
    if (reached.get(id) === true || (reached.has(id) && !ends)) return
    reached.set(id, ends)
    waiting.push(id)
  }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const ends = reached.get(id) === true
    for (const key of keys) {
      if (key.created_by === id || (ends && key.rotated_by === id)) reach(key.key_id, true)
    }
    const replaced = byId.get(id)?.rotated_from
    if (replaced !== null && replaced !== undefined) reach(replaced, false)
  }
  return keys.filter((key) => key.key_id !== keyId && reached.get(key.key_id) === true && isLive(key, nowMs))
}

/** Whether a key can be used. */
export function isLive({ revoked_at: revokedAt, expires_at: expiresAt }: Key, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs)
}
