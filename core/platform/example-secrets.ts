/**
 * Secrets that are public: they are in these sources, or are made for trying the service out. A production start
 * refuses them (production.ts), so add any other published one here.
 */

/** The service's own secrets, without those of the database and of Redis. */
export interface OwnSecrets {
  ADMIN_API_KEY: string
  HASH_SECRET: string
  ENCRYPTION_KEYS: string
}

/** Placeholders for the real ones while `npm start` checks its settings. */
export const placeholderSecrets: OwnSecrets = {
  ADMIN_API_KEY: 'rk_admin_placeholderfzXD5_vuAGgYGGrKgbe1xvESKb63XJUSGQUNxq1JoSYX',
  HASH_SECRET: 'placeholder-of-a-secret-for-hashes',
  ENCRYPTION_KEYS: `local:${Buffer.alloc(32).toString('base64')}`,
}

export const testSecrets: OwnSecrets = {
  ADMIN_API_KEY: 'rk_admin_testsGn5R3DtSFRI_EML8KjrX22OtKHGWevuRntCrOTMqR8fj1t6oEn',
  HASH_SECRET: 'a secret of at least thirty-two characters',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
}

export const exampleSecrets: readonly OwnSecrets[] = [placeholderSecrets, testSecrets]

/**
 * The secrets made by `npm start` are random, and marked: keys and secrets start with this, and encryption keys have it
 * as their id.
 */
export const localMark = 'local'
