/** Every loop of a worker, in the order of loops.ts. Their failures are counted from 0 on. */
export const loopNames = [
  'compare-clocks',
  'heartbeat',
  'relay-outbox',
  'fan-out-events',
  'chain-audit',
  'serve-lines',
  'prune-webhooks',
  'prune-idempotency',
  'prune-sessions',
  'prune-minutes',
  'rotate-seeds',
  'reveal-seeds',
  'expire-acts',
  'expire-prizes',
  'warn-expiring',
  'erase-deliveries',
  'drop-secrets',
  'archive-events',
  'archive-prizes',
  'watch-liveness',
  'watch-for-work',
] as const

export type LoopName = (typeof loopNames)[number]
