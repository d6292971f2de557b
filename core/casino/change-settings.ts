import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import { writtenEvents } from '../event/written-events.ts'
import { newSigningSecret } from '../partner/signature.ts'
import type { Clock } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { previousSecret, readSealedSecrets } from './secret-overlap.ts'
import { settingEvent } from './setting-event.ts'
import { boundTo, storedSettingColumns } from './settings.ts'
import type { StoredSetting } from './settings.ts'
import type { SettingName, StoredValue } from './setting-values.ts'
import { wokenByLifting } from './wake-paused.ts'

export interface SettingWish {
  casinoId: string
  name: SettingName
  value: StoredValue
  /** `keep` generates one if there is none, `new` always does; `none` removes it. */
  secret: { given: string } | 'keep' | 'new' | 'none'
  /**
   * How long the previous secret stays valid beside a new one. Undefined: a day, or zero if the URL changes. If the
   * secret stays, a running overlap can only become shorter.
   */
  overlapMs?: number | undefined
  /** The revision that the operator has seen, 0 if there was none; undefined for a change of any revision. */
  expectedRevision?: number | undefined
  actor: string
  requestId: string
}

export interface PutSetting {
  setting: StoredSetting
  /** A generated secret; it is shown only once. */
  newSecret: string | undefined
}

/**
 * Stores a setting. If it was paused, the pause ends and the work that waited continues: the cause may be fixed. Throws
 * `revision_changed` if it has another revision than the expected one.
 */
export async function putSetting(
  { database, cipher, clock }: { database: Database; cipher: EnvelopeCipher; clock: Clock },
  { casinoId, name, value, secret, overlapMs, expectedRevision, actor, requestId }: SettingWish,
): Promise<PutSetting> {
  const now = clock.now()
  const text = secret === 'none' ? undefined : typeof secret === 'object' ? secret.given : newSigningSecret()
  const sealed = text === undefined ? undefined : cipher.seal(text, boundTo(casinoId, name))
  const { same, unopened } = await readSealedSecrets({ database, cipher }, { casinoId, name }, text)
  const isKeeping = sql`(setting.sealed_secret IS NOT NULL
                 AND (${secret === 'keep'}::boolean OR setting.sealed_secret IS NOT DISTINCT FROM ${same}::bytea))`
  const previous = previousSecret({ isKeeping, unopened, overlapMs, now })
  const expected = sql`${expectedRevision ?? null}::int`
  const [row] = await database.$queryRaw<(StoredSetting & { isSecretNew: boolean })[]>`
    WITH before AS (
      SELECT paused_at FROM casino_setting
       WHERE casino_id = ${casinoId}::text AND name = ${name}::text
         FOR UPDATE
    ),
    input AS (
      SELECT ${sealed?.ciphertext ?? null}::bytea AS sealed_secret, ${sealed?.wrappedKey ?? null}::bytea AS sealed_key,
             ${sealed?.keyId ?? null}::text AS sealed_key_id
    ),
    setting_stored AS (
      ${insertInto('casino_setting AS setting', {
        from: sql`input CROSS JOIN (SELECT count(*) AS found FROM before) AS locked_first
           WHERE locked_first.found > 0 OR coalesce(${expected}, 0) = 0`,
        columns: {
          casino_id: sql`${casinoId}::text`,
          name: sql`${name}::text`,
          value: sql`${JSON.stringify(value)}::jsonb`,
          ...sameColumns('sealed_secret', 'sealed_key', 'sealed_key_id'),
          updated_at: instant(now),
        },
      })}
          ON CONFLICT (casino_id, name) DO UPDATE
         SET value = EXCLUDED.value, revision = setting.revision + 1, updated_at = EXCLUDED.updated_at,
             paused_at = NULL, paused_reason = NULL,
             sealed_secret = CASE WHEN ${isKeeping} THEN setting.sealed_secret ELSE EXCLUDED.sealed_secret END,
             sealed_key = CASE WHEN ${isKeeping} THEN setting.sealed_key ELSE EXCLUDED.sealed_key END,
             sealed_key_id = CASE WHEN ${isKeeping} THEN setting.sealed_key_id ELSE EXCLUDED.sealed_key_id END,
             ${previous}
       WHERE ${expected} IS NULL OR setting.revision = ${expected}
      RETURNING *
    ),
    pause_lifted AS (
      SELECT casino_id FROM setting_stored WHERE EXISTS (SELECT FROM before WHERE paused_at IS NOT NULL)
    ),
    event_written AS (
      ${writtenEvents(
        instant(now),
        settingEvent(sql`setting_stored`, 'changed', {
          fromState: sql`CASE WHEN revision > 1
          THEN CASE WHEN (SELECT paused_at FROM before) IS NULL THEN 'active' ELSE 'paused' END END`,
          toState: 'active',
          actor: sql`${actor}::text`,
          requestId: sql`${requestId}::text`,
        }),
      )}
    )${wakingStep(name, now)}
    SELECT ${storedSettingColumns('setting_stored')},
           setting_stored.sealed_secret IS NOT DISTINCT FROM input.sealed_secret AS "isSecretNew"
      FROM setting_stored, input`
  if (row === undefined) throw new RewardsError('revision_changed')
  const isMadeHere = secret === 'keep' || secret === 'new'
  return { setting: row, newSecret: isMadeHere && row.isSecretNew ? text : undefined }
}

/**
 * Resumes a paused setting and the work that waited for it. Does nothing for one that is not paused. Throws
 * `revision_changed` if it has another revision than the expected one: it may have paused for another reason since.
 */
export async function resumeSetting(
  { database, clock }: { database: Database; clock: Clock },
  {
    casinoId,
    name,
    actor,
    requestId,
    expectedRevision,
  }: Pick<SettingWish, 'casinoId' | 'name' | 'actor' | 'requestId' | 'expectedRevision'>,
): Promise<void> {
  const now = clock.now()
  const expected = sql`${expectedRevision ?? null}::int`
  const lifted = await database.$executeRaw`
    WITH pause_lifted AS (
      UPDATE casino_setting SET paused_at = NULL, paused_reason = NULL, revision = revision + 1,
                                updated_at = ${instant(now)}
       WHERE casino_id = ${casinoId}::text AND name = ${name}::text AND paused_at IS NOT NULL
         AND (${expected} IS NULL OR revision = ${expected})
      RETURNING casino_id, name, revision, updated_at
    )${wakingStep(name, now)}
    ${writtenEvents(
      sql`updated_at`,
      settingEvent(sql`pause_lifted`, 'resumed', {
        fromState: 'paused',
        toState: 'active',
        actor: sql`${actor}::text`,
        requestId: sql`${requestId}::text`,
      }),
    )}`
  if (lifted > 0 || expectedRevision === undefined) return
  const isAsSeen = await database.casinoSetting.count({
    where: { casinoId, name, revision: expectedRevision },
  })
  if (isAsSeen === 0) throw new RewardsError('revision_changed')
}

/** The further steps that follow `pause_lifted`. */
function wakingStep(name: SettingName, now: Date): Prisma.Sql {
  const steps = wokenByLifting(name, 'pause_lifted', now)
  return steps === undefined ? Prisma.empty : sql`, ${steps}`
}
