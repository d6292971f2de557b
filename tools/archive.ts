import { parseArgs } from 'node:util'
import { isMonthOpen, monthPattern } from '../core/archive/archived-month.ts'
import { chooseVariables, readAuditConfig, readMigrationConfig } from '../core/platform/config.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, runMain, UsageError } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { manifestName } from './archive/month-file.ts'
import { actions, moveMonth } from './archive/move-month.ts'
import type { Move } from './archive/move-month.ts'
import { openStore } from './archive/open-store.ts'

const usage = `npm run archive -- --month YYYY-MM (--write | --remove | --restore) (--folder DIR | --store s3://BUCKET/PREFIX)

Moves a month of the archive between the database and a file. It works as the database's owner
(MIGRATE_DATABASE_URL, or DATABASE_URL), and signs files with a key from HASH_SECRET.

  --month YYYY-MM  the month in which the rows were archived; it must be over
  --write          stores the month's file and its signed manifest
  --remove         removes the month from the database, if the file has exactly its rows
  --restore        brings the month back into the database from the file
  --folder DIR     the files are in this folder
  --store URL      the files are in this bucket of an S3-compatible store, below the prefix. The usual variables say how
                   to reach it: AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY`

interface Options extends Move {
  folder: string | undefined
  store: string | undefined
}

function parseOptions(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args,
    options: {
      month: { type: 'string' },
      folder: { type: 'string' },
      store: { type: 'string' },
      write: flag,
      remove: flag,
      restore: flag,
    },
  })
  const { month, folder, store } = values
  const [action, second] = actions.filter((name) => values[name])
  if (action === undefined || second !== undefined) {
    throw new UsageError('one of --write, --remove and --restore is needed')
  }
  if (month === undefined || !monthPattern.test(month))
    throw new UsageError('--month needs a month such as 2030-01')
  return { action, month, folder, store }
}

async function main({ folder, store: url, ...move }: Options): Promise<ExitCode> {
  const { action, month } = move
  const variables = chooseVariables({ local: false })
  const { hashSecret } = readAuditConfig(variables)
  const { ownerUrl } = readMigrationConfig(variables)
  const store = await openStore({ folder, store: url }, variables)
  if (action !== 'write' && (await store.open(manifestName(month))) === undefined)
    throw new UsageError(`there is no ${store.placeOf(manifestName(month))}`)
  const log = createLogger('archive', 'silent')
  const { database, clock, ping, close } = openDatabase({ url: ownerUrl, poolMax: 1, log, isForScans: true })
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
