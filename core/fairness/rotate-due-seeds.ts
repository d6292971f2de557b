import { batchInput, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'
import { isRotationDue } from './decide-rotation.ts'
import type { RotationLimits } from './decide-rotation.ts'
import { replaceUnfitNext, rotateSeed } from './rotate-seed.ts'
import type { SeedDeps } from './sealed-seed.ts'
import { findUnopenedSeeds } from './unopened-seeds.ts'
import type { ReportUnopened, UnopenedSeed } from './unopened-seeds.ts'

const seedsAtOnceMax = 100
/** The index entries that one statement counts, for all its seeds together: some tens of milliseconds. */
const countedAtOnceMax = 200_000

/** The openings under a seed that are counted already: openings are never deleted, so each is counted once. */
interface Counted {
  draws: number
  lastId: string
}

interface ActiveSeed {
  id: string
  casinoId: string
  activatedAt: Date
}

/**
 * Rotates the seeds that are due; any number may run at the same time, and each seed is rotated once. Remembers between runs how
 * far it has counted, so that a run costs only the new openings. Openings that commit out of the order of their ids may
 * be missed: a rotation then comes those few draws later.
 *
 * A damaged active seed is rotated immediately, since its casino is down, and a damaged next one is replaced. Seeds whose
 * encryption key is missing are left to operators: a worker with the wrong keys would otherwise replace good seeds with
 * ones that the APIs cannot open.
 */
export function createRotateDueSeeds(
  deps: SeedDeps & SetAsideDeps & { reportUnopened: ReportUnopened },
  limits: RotationLimits,
): () => Promise<number> {
  let counted = new Map<string, Counted>()
  return async () => {
    const counting = new Map<string, Counted>()
    const unopened: UnopenedSeed[] = []
    let rotated = 0
    let afterCasinoId = ''
    for (;;) {
      const seeds = await findActiveSeeds(deps, afterCasinoId)
      for (const { id } of seeds) counting.set(id, counted.get(id) ?? { draws: 0, lastId: '' })
      await countDraws(deps, seeds, counting, limits.afterDraws)
      const found = await findUnopenedSeeds(
        deps,
        seeds.map(({ casinoId }) => casinoId),
      )
      unopened.push(...found)
      const damaged = found.filter(({ fault }) => fault === 'damaged')
      const now = deps.clock.now()
      for (const { id, casinoId, activatedAt } of seeds) {
        const use = { activatedAt, draws: counting.get(id)?.draws ?? 0 }
        const isDue = damaged.some((seed) => seed.id === id) || isRotationDue(use, limits, now)
        const isNextDamaged = damaged.some((seed) => seed.casinoId === casinoId && seed.state === 'next')
        if (!isDue && !isNextDamaged) continue
        rotated += await workAroundDamage(deps, 'rotate-seeds', [{ casinoId, id }], async () => {
          const hasChanged = isDue
            ? await rotateSeed(deps, casinoId, id)
            : await replaceUnfitNext(deps, casinoId)
          return hasChanged ? 1 : 0
        })
      }
      const last = seeds.at(-1)
      if (last === undefined || seeds.length < seedsAtOnceMax) break
      afterCasinoId = last.casinoId
    }
    deps.reportUnopened(unopened)
    counted = counting // without the seeds that are active no more
    return rotated
  }
}

function findActiveSeeds({ database, clock }: SeedDeps, afterCasinoId: string): Promise<ActiveSeed[]> {
  const isWanted = isNotSetAside('rotate-seeds', clock.now(), {
    casinoId: sql`server_seed.casino_id`,
    id: sql`server_seed.id`,
  })
  return database.$queryRaw<ActiveSeed[]>`
    SELECT id, casino_id AS "casinoId", activated_at AS "activatedAt"
      FROM server_seed
     WHERE state = 'active' AND casino_id > ${afterCasinoId}::text AND ${isWanted}
     ORDER BY casino_id LIMIT ${seedsAtOnceMax}::int`
}

/** Continues counting from `counting`, for each seed up to `enough`. */
async function countDraws(
  { database }: SeedDeps,
  seeds: readonly ActiveSeed[],
  counting: Map<string, Counted>,
  enough: number,
): Promise<void> {
  let rest = seeds.map((seed) => ({ ...seed, ...(counting.get(seed.id) ?? { draws: 0, lastId: '' }) }))
  while (rest.length > 0) {
    const limit = Math.floor(countedAtOnceMax / rest.length)
    const rows = await database.$queryRaw<{ id: string; draws: number; lastId: string | null }[]>`
      SELECT input.seed_id AS id, fresh.draws, fresh.last_id AS "lastId"
        FROM ${batchInput(rest, {
          casino_id: text((seed) => seed.casinoId),
          seed_id: text((seed) => seed.id),
          last_id: text((seed) => seed.lastId),
        })}
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS draws, max(id) AS last_id
           FROM (
             SELECT opening.id FROM opening
              WHERE opening.casino_id = input.casino_id AND opening.seed_id = input.seed_id
                AND opening.id > input.last_id
              ORDER BY opening.id LIMIT ${limit}::int
           ) AS following_openings
       ) AS fresh`
    const fresh = new Map(rows.map((row) => [row.id, row]))
    rest = rest.flatMap((seed) => {
      const { draws = 0, lastId = null } = fresh.get(seed.id) ?? {}
      const next = { draws: seed.draws + draws, lastId: lastId ?? seed.lastId }
      counting.set(seed.id, next)
      return draws === limit && next.draws < enough ? [{ ...seed, ...next }] : []
    })
  }
}
