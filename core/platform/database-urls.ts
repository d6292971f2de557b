import type { Parsed } from './config-variables.ts'

export const databaseUrls = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const
export type ParsedDatabaseUrls = Pick<Parsed, (typeof databaseUrls)[number]>

/** The service's database without a pooler between, for programs that need sessions of their own. */
export interface DirectUrl {
  directUrl: string
}

export function toDirectUrl({ DATABASE_URL, DATABASE_DIRECT_URL }: ParsedDatabaseUrls): string {
  return DATABASE_DIRECT_URL ?? DATABASE_URL
}
