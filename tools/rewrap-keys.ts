import { parseArgs } from 'node:util'
import { auditedRun } from '../core/audit/audited-run.ts'
import { createRecordAudit } from '../core/audit/record-audit.ts'
import { createEnvelopeCipher } from '../core/crypto/envelope.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Clock } from '../core/platform/clock.ts'
import { chooseVariables, readEncryptionConfig } from '../core/platform/config.ts'
import { openDatabase } from '../core/platform/database.ts'
import { createLogger } from '../core/platform/logger.ts'
import { exitCodes, localOption, runMain } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { countKeyUse, rewrapKeys } from '../core/privacy/rewrap-keys.ts'
import type { RewrapProgress } from '../core/privacy/rewrap-keys.ts'

const usage = `npm run keys:rewrap -- [--list] [--local]

Wraps every data key in the database (DATABASE_URL) with the first key of ENCRYPTION_KEYS, so that the others can be taken
out of the list. The service may run meanwhile; it may be interrupted and started again. The audit trail has each run.

  --list    only say what each key is still needed for
  --local   the database and the keys of the service that npm start runs here, instead of those in the environment`

/** How often the progress is shown. */
const progressEveryMs = 1_000

function createReport(): (progress: RewrapProgress) => void {
  let toldAt = 0
  return ({ kind, done, total }) => {
    if (done < total && done > 0 && monotonicMs() - toldAt < progressEveryMs) return
    toldAt = monotonicMs()
    console.error(`${kind}: ${done} of ${total}`)
  }
}

/** Enough to see a common cause. */
const namedMax = 20

/** Returns how many cannot be opened. */
async function rewrapAll(
  deps: Parameters<typeof rewrapKeys>[0] & { clock: Clock; hashSecret: string },
): Promise<number> {
  let named = 0
  const { rewrapped, unopened } = await auditedRun(
    { clock: deps.clock, recordAudit: createRecordAudit(deps) },
    { action: 'keys:rewrap', params: { key_id: deps.cipher.currentKeyId } },
    '',
    () =>
      rewrapKeys(deps, {
        onProgress: createReport(),
        onUnopened: ({ kind, id, problem }) => {
          if (++named <= namedMax) console.error(`${kind}: ${id} cannot be opened: ${problem}`)
        },
      }),
    (done) => `${done.rewrapped} rewrapped, ${done.unopened} not opened`,
  )
  console.log(`${rewrapped} data keys rewrapped`)
  if (unopened > 0) console.error(`${unopened} cannot be opened, and are left as they are`)
  return unopened
}

async function main(args: string[]): Promise<ExitCode> {
  const { values } = parseArgs({
    args,
    options: { list: { type: 'boolean', default: false }, ...localOption },
  })
  const config = readEncryptionConfig(chooseVariables(values))
  const log = createLogger('keys-rewrap', 'silent')
  const { database, clock, ping, close } = openDatabase({
    url: config.directUrl,
    poolMax: 3,
    log,
    isForScans: true,
  })
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  try {
    await ping() // so that the clock is known
    const unopened = values.list
      ? 0
      : await rewrapAll({ database, clock, cipher, hashSecret: config.hashSecret })
    for (const { kind, keyId, count } of await countKeyUse(database))
      console.log(`${keyId}: ${count} ${kind}`)
    return unopened === 0 ? exitCodes.done : exitCodes.problemFound
  } finally {
    await close()
  }
}

await runMain(
  {
    usage,
    problemFound: 'some keys cannot be opened; all others are wrapped',
    failed: 'it stopped; what is done is done, and the next run does the rest',
  },
  main,
)
