import { parseArgs } from 'node:util'
import { listTrails, verifyTrail } from '../core/audit/verify-audit.ts'
import type { VerifiedTrail } from '../core/audit/verify-audit.ts'
import { chooseVariables, readAuditConfig } from '../core/platform/config.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, localOption, runMain, UsageError } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'

const usage = `npm run audit:verify -- [--casino ID] [--expect SEQUENCE:HASH] [--local]

Computes the audit trails in the database (DATABASE_URL) again with the service's HASH_SECRET, and names every entry that
was altered, removed or moved, or that the service has not written. It may run meanwhile.

  --casino ID             only this casino's trail
  --expect SEQUENCE:HASH  what this casino's trail ended with at an earlier time, as this program printed it
  --local                 the service that npm start runs here, instead of DATABASE_URL and HASH_SECRET`

/** The worker chains entries within seconds; after this long, one that is not chained has been slipped in. */
const chainedAfterMs = 10 * 60_000

interface Options {
  local: boolean
  casino: string | undefined
  expect: { sequence: bigint; hash: string } | undefined
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: { casino: { type: 'string' }, expect: { type: 'string' }, ...localOption },
  })
  const { casino, expect, local } = values
  if (expect === undefined) return { casino, expect: undefined, local }
  const [, sequence, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(expect) ?? []
  if (casino === undefined || sequence === undefined || hash === undefined) {
    throw new UsageError('--expect needs --casino, and a number and a hash with a colon between them')
  }
  return { casino, local, expect: { sequence: BigInt(sequence), hash } }
}

async function verify({ casino, expect, local }: Options): Promise<ExitCode> {
  const config = readAuditConfig(chooseVariables({ local }))
  const log = createLogger('audit-verify', 'silent')
  const { database, clock, ping, close } = openDatabase({
    url: config.directUrl,
    poolMax: 2,
    log,
    isForScans: true,
  })
  try {
    await ping() // so that the clock is known
    const trails = casino === undefined ? await listTrails(database) : [casino]
    const chainedBefore = new Date(clock.now().getTime() - chainedAfterMs)
    let wrong = 0
    for (const trail of trails) {
      const verified = await verifyTrail({ database, hashSecret: config.hashSecret }, trail, chainedBefore)
      wrong += report(verified)
    }
    if (casino !== undefined && expect !== undefined) {
      const link = await database.auditLink.findUnique({
        where: { casinoId_sequence: { casinoId: casino, sequence: expect.sequence } },
      })
      const isSame = link !== null && Buffer.from(link.hash).toString('hex') === expect.hash
      if (!isSame) {
        console.log(`${nameOf(casino)}: entry ${expect.sequence} is not the one that was expected`)
        wrong += 1
      }
    }
    console.log(`${trails.length} trails, ${wrong} problems`)
    return wrong === 0 ? exitCodes.done : exitCodes.problemFound
  } finally {
    await close()
  }
}

function report({ casinoId, entries, lastHash, unsigned, problems }: VerifiedTrail): number {
  for (const { sequence, problem } of problems) {
    const place = sequence === null ? '' : ` at ${sequence}`
    console.log(`${nameOf(casinoId)}: ${problem.replaceAll('_', ' ')}${place}`)
  }
  if (unsigned > 0n) console.log(`${nameOf(casinoId)}: ${unsigned} from before entries were signed`)
  if (problems.length === 0) console.log(`${nameOf(casinoId)}: ${entries}:${lastHash}`)
  return problems.length
}

function nameOf(casinoId: string): string {
  return casinoId === '' ? '(the service)' : casinoId
}

await runMain({ usage, done: 'all entries fit', problemFound: 'some do not' }, (args) =>
  verify(parseOptions(args)),
)
