import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isMonthOpen, monthPattern } from '../core/event/archived-month.ts'
import { chooseVariables, readAuditConfig, readMigrationConfig } from '../core/platform/config.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, runMain, UsageError } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { createFolderStore } from './archive/folder-store.ts'
import { manifestName } from './archive/month-file.ts'
import { actions, moveMonth } from './archive/move-month.ts'
import type { Move } from './archive/move-month.ts'

const usage = `npm run archive -- --month YYYY-MM (--write | --remove | --restore) --folder DIR

Moves a month of archived events between the database and a file. It works as the database's owner
(MIGRATE_DATABASE_URL, or DATABASE_URL), and signs files with a key from HASH_SECRET.

  --month YYYY-MM  the month in which the events were archived; it must be over
  --write          writes the month's file and its signed manifest into the folder
  --remove         removes the month from the database, if the folder has exactly its rows
  --restore        brings the month back into the database from the folder
  --folder DIR     the folder of the files`

interface Options extends Move {
  folder: string
}

function parseOptions(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args,
    options: {
      month: { type: 'string' },
      folder: { type: 'string' },
      write: flag,
      remove: flag,
      restore: flag,
    },
  })
  const { month, folder } = values
  const [action, second] = actions.filter((name) => values[name])
  if (action === undefined || second !== undefined) {
    throw new UsageError('one of --write, --remove and --restore is needed')
  }
  if (month === undefined || !monthPattern.test(month))
    throw new UsageError('--month needs a month such as 2030-01')
  if (folder === undefined) throw new UsageError('--folder is needed')
  return { action, month, folder }
}

async function main({ folder, ...move }: Options): Promise<ExitCode> {
  const { action, month } = move
  const variables = chooseVariables({ local: false })
  const { hashSecret } = readAuditConfig(variables)
  const { ownerUrl: url } = readMigrationConfig(variables)
  if ((await stat(folder).catch(() => undefined)) === undefined) throw new UsageError(`there is no ${folder}`)
  const store = createFolderStore(folder)
  if (action !== 'write' && (await store.open(manifestName(month))) === undefined)
    throw new UsageError(`there is no ${store.placeOf(manifestName(month))}`)
  const log = createLogger('archive', 'silent')
  const { database, clock, ping, close } = openDatabase({ url, poolMax: 2, log, isForScans: true })
  try {
    await ping() // so that the clock is known
    if (await isMonthOpen(database, month)) throw new UsageError('the month is not over yet')
    const outcome = await moveMonth({ database, clock, hashSecret, store }, move)
    console.log(`${month}: ${outcome.text}`)
    return outcome.isDone ? exitCodes.done : exitCodes.problemFound
  } finally {
    await close()
  }
}

await runMain({ usage, problemFound: 'refused: nothing was moved' }, (args) => main(parseOptions(args)))
