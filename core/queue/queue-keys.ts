/**
 * The prefix of a queue's keys in Redis. What stands in braces decides on which node of a Cluster a key is: all keys of
 * a queue must be on the same one, and the queues should be on several.
 */
export function queuePrefix(prefix: string, name: string): string {
  return `{${prefix}:${name}}`
}

/** A key beside the queues. Scripts use several of them, so they are all on one node. */
export function sharedKey(prefix: string, key: string): string {
  return `{${prefix}}:${key}`
}
