import { parseArgs } from 'node:util'
import { auditedRun } from '../core/audit/audited-run.ts'
import type { RecordOfRun } from '../core/audit/audited-run.ts'
import { createRecordAudit } from '../core/audit/record-audit.ts'
import {
  findStockDifferences,
  isOversold,
  listCasinosWithStock,
  lockRepairs,
  repairStock,
} from '../core/box/check-stock.ts'
import type { StockDifference } from '../core/box/check-stock.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Clock } from '../core/platform/clock.ts'
import { chooseVariables, readAuditConfig, readMigrationConfig } from '../core/platform/config.ts'
import { openDatabase } from '../core/platform/database.ts'
import type { Database } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, localOption, runMain, UsageError } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'

const usage = `npm run stock:check -- [--casino ID] [--repair] [--local]

Compares what is left of every limited entry with its stock less its openings and plus what expired prizes gave back,
for the database in DATABASE_URL, and prints what differs. Openings may run meanwhile.

  --casino ID   only this casino
  --repair      correct what differs; the audit trail has it, so it needs HASH_SECRET too
  --local       the database of the service that npm start runs here, instead of DATABASE_URL`

interface Options {
  casino: string | undefined
  isRepairing: boolean
  local: boolean
}

/** How often the progress is shown. */
const progressEveryMs = 1_000

async function checkCasinos(
  database: Database,
  { casino, isRepairing }: Options,
  record?: RecordOfRun,
): Promise<StockDifference[]> {
  if (isRepairing && !(await lockRepairs(database))) throw new Error('another repair is running')
  const casinoIds = casino === undefined ? await listCasinosWithStock(database) : [casino]
  const differences: StockDifference[] = []
  let toldAt = monotonicMs()
  for (const [index, casinoId] of casinoIds.entries()) {
    if (monotonicMs() - toldAt > progressEveryMs) {
      console.error(`${index} of ${casinoIds.length} casinos, ${differences.length} differences`)
      toldAt = monotonicMs()
    }
    const check = isRepairing ? repairStock : findStockDifferences
    const found = await check(database, casinoId)
    // In addition to the run's own entry, in the trail in which it was started.
    if (casino === undefined && found.length > 0) await record?.(casinoId, outcomeOf(found))
    differences.push(...found)
  }
  console.error(`${casinoIds.length} casinos, ${differences.length} differences`)
  return differences
}

function repairCasinos(
  database: Database,
  { clock, hashSecret }: { clock: Clock; hashSecret: string },
  options: Options,
): Promise<StockDifference[]> {
  const { casino } = options
  return auditedRun(
    { clock, recordAudit: createRecordAudit({ database, hashSecret }) },
    { action: 'stock:check --repair', params: casino === undefined ? {} : { casino_id: casino } },
    casino ?? '',
    (record) => checkCasinos(database, options, record),
    outcomeOf,
  )
}

function outcomeOf(differences: readonly StockDifference[]): string {
  return `${differences.length} repaired`
}

function renderTable(differences: readonly StockDifference[], isRepairing: boolean): string {
  const head = [
    'casino',
    'box',
    'version',
    'position',
    'item',
    'stock',
    'openings',
    'returned',
    'remaining',
    'expected',
    '',
  ]
  const rows = differences.map((d) => [
    d.casinoId,
    d.boxId,
    String(d.version),
    String(d.position),
    d.itemId,
    ...[
      d.stock ?? 'no limit',
      d.openings,
      d.returned,
      d.remaining ?? 'missing',
      d.expected ?? 'no limit',
    ].map(String),
    describe(d, isRepairing),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function describe(difference: StockDifference, isRepairing: boolean): string {
  if (isOversold(difference)) return isRepairing ? 'oversold, set to 0' : 'oversold'
  return isRepairing ? 'repaired' : ''
}

async function main(options: Options): Promise<ExitCode> {
  const variables = chooseVariables(options)
  // Only a repair is written into the audit trail, whose entries are signed.
  const { hashSecret } = options.isRepairing ? readAuditConfig(variables) : { hashSecret: '' }
  const { directUrl: url } = readMigrationConfig(variables)
  // A single connection: it holds the lock for repairs.
  const { database, clock, ping, close } = openDatabase({
    url,
    poolMax: 1,
    log: createLogger('stock-check', 'silent'),
    isForScans: true,
  })
  try {
    await ping() // so that the clock is known
    const { casino } = options
    if (casino !== undefined && (await database.casino.count({ where: { id: casino } })) === 0) {
      throw new UsageError('there is no such casino')
    }
    const differences = await (options.isRepairing
      ? repairCasinos(database, { clock, hashSecret }, options)
      : checkCasinos(database, options))
    if (differences.length > 0) console.log(renderTable(differences, options.isRepairing))
    const left = options.isRepairing ? differences.filter(isOversold) : differences
    return left.length > 0 ? exitCodes.problemFound : exitCodes.done
  } finally {
    await close()
  }
}

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { casino: { type: 'string' }, repair: { type: 'boolean', default: false }, ...localOption },
  })
  return { casino: values.casino, isRepairing: values.repair, local: values.local }
}

await runMain(
  { usage, done: 'nothing differs, or not any more', problemFound: 'something differs' },
  (args) => main(parseOptions(args)),
)
