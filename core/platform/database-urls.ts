import type { Parsed } from './config-variables.ts'

export const databaseUrls = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const
export type ParsedDatabaseUrls = Pick<Parsed, (typeof databaseUrls)[number]>

/** The service's database without a pooler between, for programs that need sessions of their own. */
export interface DirectUrl {
  directUrl: string
}

export interface WithReplica {
  /** Where management reads lists and reports, and how long a read waits for it to catch up; undefined without one. */
  replica: { url: string; waitMs: number } | undefined
}

export function toReplica(
  parsed: Pick<Parsed, 'DATABASE_REPLICA_URL' | 'DATABASE_REPLICA_WAIT_MS'>,
): WithReplica['replica'] {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_WAIT_MS: waitMs } = parsed
  return url === undefined ? undefined : { url, waitMs }
}

export function toDirectUrl({ DATABASE_URL, DATABASE_DIRECT_URL }: ParsedDatabaseUrls): string {
  return DATABASE_DIRECT_URL ?? DATABASE_URL
}
