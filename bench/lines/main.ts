import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { exitCodes, runMain } from '../../core/platform/main-program.ts'
import { openWorld } from '../neighbours/world.ts'
import { adminKeyOf, startService } from '../run-service.ts'
import { cloneTemplate, createTemplate, dropDatabase } from '../seed.ts'
import type { Template } from '../seed.ts'
import { services } from '../services.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'
import type { LineKind } from './kinds.ts'
import { parseOptions, usage } from './options.ts'
import type { LinesOptions } from './options.ts'
import { startHangingPartner } from './partner.ts'
import type { HangingPartner, Measured } from './partner.ts'

/** A line takes at most this many times the time of its calls. */
const timesMax = 2
const databaseName = 'lines'
const pollMs = 20
const giveUpAfterMs = 600_000

interface Line extends Measured {
  kind: string
  callMs: number
  ratio: number
}

async function measureLine(
  run: Run,
  { template, hashSecret }: { template: Template; hashSecret: string },
  { count, hang }: LinesOptions,
  kind: LineKind,
  callMs: number,
): Promise<Line> {
  const databaseUrl = await cloneTemplate(run.servers, template, databaseName)
  await run.servers.redisClient.flushall()
  const service = await startService(services.ours, {
    databaseUrl,
    redisUrl: run.servers.redis.url,
    workerCount: 1,
    hashSecret,
    runDir: run.runDir,
    buildDir: run.buildDir,
    isProfiled: false,
  })
  const partner = await startHangingPartner(callMs, kind.answer)
  try {
    const { url, manageUrl } = service
    const world = await openWorld({ playUrl: url, manageUrl, adminKey: adminKeyOf(hashSecret), databaseUrl })
    try {
      await kind.begin(world, partner.url, count)
      await until('a call', () => partner.calls() > 0)
      await delay(hang * 1_000)
      partner.recover()
      await until('every call', () => partner.answered() === count)
      await service.assertAlive()
    } finally {
      await world.end()
    }
    return toLine(kind, callMs, partner)
  } finally {
    await service.stop()
    await partner.stop()
    await dropDatabase(run.servers, databaseName)
  }
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + giveUpAfterMs
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`the partner did not get ${what}`)
    await delay(pollMs)
  }
}

function toLine({ name }: LineKind, callMs: number, partner: HangingPartner): Line {
  const measured = partner.measured()
  return { kind: name, callMs, ...measured, ratio: measured.tookMs / measured.callsMs }
}

function render(lines: readonly Line[]): string {
  return [
    '| line | a call, ms | calls at the same time | all calls, ms | the line, ms | ratio | repeated calls |',
    `|${' --- |'.repeat(7)}`,
    ...lines.map(({ kind, callMs, openMax, callsMs, tookMs, ratio, repeated }) =>
      [
        `| ${kind}`,
        callMs,
        openMax,
        callsMs.toFixed(0),
        tookMs.toFixed(0),
        ratio.toFixed(2),
        `${repeated} |`,
      ].join(' | '),
    ),
  ].join('\n')
}

await runMain({ usage, problemFound: 'a line took too long: the output says which' }, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: 'autocannon' }, async (run) => {
    const hashSecret = randomBytes(32).toString('hex')
    const template = await createTemplate(run.servers, 'box', 1, hashSecret)
    const lines: Line[] = []
    for (let round = 1; round <= options.rounds; round++) {
      for (const kind of options.kinds) {
        for (const callMs of options.calls) {
          console.log(`round ${round}, ${kind.name}: calls of ${callMs} ms`)
          lines.push(await measureLine(run, { template, hashSecret }, options, kind, callMs))
        }
      }
    }
    const file = await writeResults('lines-', { options, lines })
    console.log(`\n${render(lines)}\n\nwritten to ${file}`)
    const slow = lines.filter(({ ratio }) => ratio > timesMax)
    for (const { kind, callMs, ratio } of slow) {
      console.error(
        `${kind}, calls of ${callMs} ms: the line took ${ratio.toFixed(2)} times the time of its calls, not ${timesMax}`,
      )
    }
    return slow.length === 0 ? exitCodes.done : exitCodes.problemFound
  })
})
