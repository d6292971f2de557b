import { auditedRun } from '../../core/audit/audited-run.ts'
import { findLastRun, hasOutcome } from '../../core/audit/find-run.ts'
import { createRecordAudit } from '../../core/audit/record-audit.ts'
import { createSigner } from '../../core/crypto/signer.ts'
import type { Signer } from '../../core/crypto/signer.ts'
import {
  attachMonth,
  fillMonth,
  findMonthState,
  findOlderMonth,
  isMonthEmpty,
  lockMonths,
  monthTable,
  moveEarlyEvents,
  readMonth,
  removeMonth,
  requireLockOfMonths,
  unlockMonths,
} from '../../core/archive/archived-month.ts'
import type { MonthObstacle } from '../../core/archive/archived-month.ts'
import type { Clock } from '../../core/platform/clock.ts'
import type { Database } from '../../core/platform/database.ts'
import {
  findFileProblem,
  manifestName,
  readManifest,
  readMonthFile,
  sha256OfLines,
  writeMonthFile,
} from './month-file.ts'
import type { SignedManifest } from './month-file.ts'
import type { Store } from './store.ts'

export const actions = ['write', 'remove', 'restore'] as const

export interface Move {
  action: (typeof actions)[number]
  /** A month that is over, as `2030-01`. */
  month: string
}

/** A sentence, and whether the work was done. */
interface Outcome {
  text: string
  isDone: boolean
}

interface Work extends Move {
  database: Database
  store: Store
  signer: Signer
  now: Date
}

/**
 * Moves a month between the database, which is the owner's and has a single connection, and the store, with entries in the
 * service's audit trail.
 */
export async function moveMonth(
  {
    database,
    clock,
    hashSecret,
    store,
  }: { database: Database; clock: Clock; hashSecret: string; store: Store },
  move: Move,
): Promise<Outcome> {
  const signer = createSigner(hashSecret, 'event-archive')
  const outcome = await auditedRun(
    { clock, recordAudit: createRecordAudit({ database, hashSecret }) },
    { action: auditAction(move.action), params: { month: move.month } },
    '',
    async () =>
      (await lockMonths(database))
        ? works[move.action]({ ...move, database, store, signer, now: clock.now() })
        : refused('another run is moving a month: wait until it has ended'),
    ({ text }) => text,
  )
  // Not earlier: the next run looks for the outcome in the trail.
  await unlockMonths(database)
  return outcome
}

const auditAction = (action: Move['action']) => `archive --${action}`

const works = { write, remove, restore }

const refused = (text: string): Outcome => ({ text, isDone: false })

/**
 * Of tables that are no partitions: only an operator can say whether they or the file are complete. Once the month has been
 * removed, the file is.
 */
const tableDiffers = (month: string, wasRemoved: boolean) =>
  `the tables of the month, such as ${monthTable(month, 'event')}, differ from the file. ` +
  `${wasRemoved ? 'Drop' : 'If the file is complete, drop'} them (SELECT drop_archive_month('${month}-01')) and restore the month` +
  (wasRemoved
    ? ''
    : `. If the tables are, attach them (SELECT attach_archive_month('${month}-01')) and write the month again`)

/**
 * Databases can share a secret, such as a copy and its original: the file is of this one if its trail says so. Only a
 * --write that was done has a hash in its outcome.
 */
const isOwn = ({ database }: Work, { manifest }: SignedManifest) =>
  hasOutcome(database, auditAction('write'), `sha256 ${manifest.sha256}`)

/** A prize can have come back since an older --write: restored from that file, it would be there twice. */
async function isNewest({ database, month }: Work, { manifest }: SignedManifest): Promise<boolean> {
  const runs = { actions: [auditAction('write')], params: { month } }
  return (
    (await findLastRun(database, runs, 'sha256 '))?.outcome.includes(`sha256 ${manifest.sha256}`) === true
  )
}

/** Whether the trail ends with a removal that was done: the file has the only copy of the month. */
async function wasRemoved({ database, month }: Work): Promise<boolean> {
  const last = await findLastRun(
    database,
    { actions: actions.map(auditAction), params: { month } },
    'sha256 ',
  )
  return last?.action === auditAction('remove')
}

const notNewest =
  'the month was written again after this file, which has other rows: use the file of the last --write, or its copy'

const notOwn =
  'the audit trail has no --write of this file: it was not written from this database, or before a backup of it was restored'

/** The month's manifest, if the file is as it says; otherwise why they must not be used. */
async function checkFile(work: Work): Promise<SignedManifest | { problem: string }> {
  const { store, month } = work
  const found = await readManifest(work)
  if (found === undefined) return { problem: `there is no ${store.placeOf(manifestName(month))}` }
  if ('problem' in found) return found
  if (!(await isOwn(work, found))) return { problem: notOwn }
  if (!(await isNewest(work, found))) return { problem: notNewest }
  const problem = await findFileProblem(store, found.manifest)
  return problem === undefined ? found : { problem }
}

/**
 * The manifest that a --write replaces, if there is one, or why it must stay: the file of another database may be all that
 * is left of a month there.
 */
async function findReplaced(work: Work): Promise<SignedManifest | { problem: string } | undefined> {
  const found = await readManifest(work)
  if (found === undefined || 'problem' in found || (await isOwn(work, found))) return found
  // A run that was stopped after its last file has no outcome in the trail.
  const rows = await sha256OfLines(readMonth(work.database, work.month))
  return rows === found.manifest.content_sha256 ? found : { problem: notOwn }
}

async function write(work: Work): Promise<Outcome> {
  const { database, month, store } = work
  if ((await findMonthState(database, month)) !== 'attached')
    return refused('the database does not have this month')
  // With rows, it was restored by a run that was stopped before its outcome.
  if ((await wasRemoved(work)) && (await isMonthEmpty(database, month))) {
    return refused(
      `the month was removed, and its file, which has the only copy, is not replaced. Detach the tables that are there ` +
        `(SELECT detach_archive_month('${month}-01')) and restore the month`,
    )
  }
  const replaced = await findReplaced(work)
  if (replaced !== undefined && 'problem' in replaced) {
    return refused(
      `${store.placeOf(manifestName(month))} is not replaced, since ${replaced.problem}. Choose another place, or move it away if nothing needs it`,
    )
  }
  const early = await moveEarlyEvents(database, month)
  const manifest = await writeMonthFile(work, readMonth(database, month), replaced, () =>
    requireLockOfMonths(database),
  )
  const after = early === 0 ? '' : `, after ${early} events had moved to the later months of their prizes`
  return { text: `wrote ${manifest.rows} rows, sha256 ${manifest.sha256}${after}`, isDone: true }
}

const differs = 'the file differs from the database: write it again'

const obstacles: Readonly<Record<MonthObstacle, string>> = {
  needed: 'webhook deliveries still need events of this month: try again when they have been removed',
  changed: differs,
  read: 'a dump or a long report reads the archive: try again when it has ended (pg_stat_activity shows it)',
}

async function remove(work: Work): Promise<Outcome> {
  const { database, month } = work
  const state = await findMonthState(database, month)
  if (state === 'absent') return refused('the database does not have this month')
  const older = await findOlderMonth(database, month)
  // Prizes move after their events: without its prize, an event has no facts.
  if (older !== undefined) return refused(`remove ${older} first: it may have events of this month's prizes`)
  const checked = await checkFile(work)
  if ('problem' in checked) return refused(checked.problem)
  const { rows, content_sha256: content, sha256 } = checked.manifest
  if ((await sha256OfLines(readMonth(database, month))) !== content) {
    return refused(state === 'attached' ? differs : tableDiffers(month, await wasRemoved(work)))
  }
  await requireLockOfMonths(database)
  const obstacle = await removeMonth(database, month, rows)
  if (obstacle !== undefined) return refused(obstacles[obstacle])
  return { text: `removed ${rows} rows, kept in the file with sha256 ${sha256}`, isDone: true }
}

async function restore(work: Work): Promise<Outcome> {
  const { database, month, store } = work
  if ((await findMonthState(database, month)) === 'attached') return refused('the database has this month')
  const checked = await checkFile(work)
  if ('problem' in checked) return refused(checked.problem)
  const { manifest } = checked
  await fillMonth(database, month, readMonthFile(store, manifest))
  if ((await sha256OfLines(readMonth(database, month))) !== manifest.content_sha256)
    return refused(tableDiffers(month, await wasRemoved(work)))
  await requireLockOfMonths(database)
  await attachMonth(database, month)
  return { text: `restored ${manifest.rows} rows, sha256 ${manifest.sha256}`, isDone: true }
}
