import { RewardsError } from '../errors.ts'
import type { RunWork } from '../outbound/attempts.ts'
import { workOfJobs } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { isMakerAble } from './able-maker.ts'
import { toAct } from './act.ts'
import type { ActRecord } from './act.ts'
import { createCarryOut } from './carry-out-objects.ts'
import type { CarryOut, CarryOutDeps } from './carry-out-objects.ts'
import { messageOf } from './load-objects.ts'
import { endAct, settleStoppedAct, stopForMaker } from './settle-act.ts'
import { storeResults, takeObjects } from './take-objects.ts'
import type { ObjectResult, TakenObject } from './take-objects.ts'

export interface CarryOutActDeps extends CarryOutDeps {
  database: Database
  clock: Clock
  log: Logger
}

/** An object that failed so often is refused: nothing says that it will ever succeed. */
const attemptsMax = 5

/**
 * Carries out a running act, a few objects at a time, until nothing is left, or an operator stops it. A worker may die
 * at any point, and any number may run the same act: each object has a claim, which is marked by the statement that
 * carries the action out. An object that failed waits for the job's next run.
 */
export function createCarryOutAct(deps: CarryOutActDeps): RunWork {
  const carryOut = createCarryOut(deps)
  return async (job) => {
    let report: JobReport = { result: 'nothing_to_do', outcome: 'nothing_to_do' }
    for (;;) {
      const act = await findActOfWork(deps.database, job)
      if (act === undefined) return report
      if (act.state === 'stopping') await settleStoppedAct(deps, { casinoId: act.casinoId, actId: act.id })
      const isOver = act.state !== 'running' || !(await carryOutSome(deps, carryOut, act))
      if (isOver) await endAct(deps, act.id, job.outboxId)
      report = { result: 'done', outcome: isOver ? 'ended' : 'carried_out' }
    }
  }
}

/** Undefined if the work is finished. */
async function findActOfWork(database: Database, job: JobPayload): Promise<ActRecord | undefined> {
  const [work] = await database.$queryRaw<{ object_id: string }[]>`
    SELECT work.object_id FROM ${workOfJobs([job], ['carry-out-act'])}`
  if (work === undefined) return undefined
  const row = await database.act.findUnique({ where: { id: work.object_id } })
  if (row === null) throw new Error('an act with work is gone')
  return toAct(row)
}

/** False if no object is left to take up. */
async function carryOutSome(deps: CarryOutActDeps, carryOut: CarryOut, act: ActRecord): Promise<boolean> {
  if (!(await isMakerAble(deps.database, act))) {
    await stopForMaker(deps, act.id)
    return true
  }
  const { casinoId, id: actId } = act
  const taken = await takeObjects(deps.database, { casinoId, actId })
  if (taken.length === 0) return false
  const results: ObjectResult[] = taken.filter(isOverBefore).map((object) => ({
    object,
    refusal: object.isCarriedOut ? null : { code: 'internal', message: null },
  }))
  const wanted = taken.filter((object) => !isOverBefore(object))
  const failures: unknown[] = []
  for (const [index, settled] of (wanted.length === 0 ? [] : await carryOut(act, wanted)).entries()) {
    const object = wanted[index]
    if (object === undefined) continue
    const refusal = 'error' in settled ? refusalOf(settled.error) : null
    if (refusal === undefined) failures.push('error' in settled ? settled.error : undefined)
    else results.push({ object, refusal })
  }
  await storeResults(deps, { casinoId, actId }, results)
  if (failures.length > 0) {
    // The job's next run takes them up again; objects that were carried out nevertheless are marked.
    throw new Error(`${String(failures.length)} objects of an act failed`, { cause: failures[0] })
  }
  return true
}

function isOverBefore({ isCarriedOut, attempts }: TakenObject): boolean {
  return isCarriedOut || attempts > attemptsMax
}

const failureCodes: readonly string[] = ['storage_contended', 'overloaded', 'queue_unavailable', 'internal']

/** The refusal by the rules; undefined if the action failed. */
function refusalOf(error: unknown): ObjectResult['refusal'] | undefined {
  if (!(error instanceof RewardsError) || failureCodes.includes(error.code)) return undefined
  return { code: error.code, message: messageOf(error) }
}
