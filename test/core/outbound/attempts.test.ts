import { expect } from 'chai'
import type { Settled } from '../../../core/batch/batcher.ts'
import { impressionOf } from '../../../core/outbound/attempt.ts'
import { createAttempts } from '../../../core/outbound/attempts.ts'
import type { Begun, LoadedWork } from '../../../core/outbound/attempts.ts'
import type { Attempt, Ended } from '../../../core/outbound/make-call.ts'
import { createPauses } from '../../../core/outbound/pauses.ts'
import { lineOf } from '../../../core/outbound/call-line.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { createCallSlots } from '../../../core/outbound/slots.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { JobPayload, JobReport } from '../../../core/queue/jobs.ts'

const start = new Date('2027-05-06T12:00:00Z')
const line = lineOf('wallet', 'lucky')
const url = 'https://wallet.test/'
const timeoutMs = 5_000

type Work = 'call' | 'question' | 'end'
type Outcome = { kind: 'done' } | { kind: 'unknown' | 'misconfigured'; problem: string }
interface Made extends Attempt {
  revision: number
}
interface Write {
  step: string
  begun: Begun<Made>
}

/** Stands for the secrets that only the call needs. */
const secret = 'a client with its secrets'

/** Everything happens in memory, and `told` records it in order. */
describe('attempts of calls', () => {
  let now: Date
  let told: string[]
  let warned: [string, object][]
  let works: Map<string, Settled<LoadedWork<Work, string>>>
  let outcome: Outcome
  let leaseMs: number
  let names: Record<string, 'found' | 'unknown' | undefined>
  let isLeftAlone: boolean
  let refused: string[]
  let recordFails: boolean
  let runUnloaded: ((jobs: readonly JobPayload[]) => Promise<Map<string, JobReport>>) | undefined
  const create = (totalMax = 64) => {
    const slots = createCallSlots({ totalMax, nowMs: () => 0 })
    const pauses = createPauses((casinoId, { revision }, reason) =>
      Promise.resolve(told.push(`paused ${casinoId} ${revision} ${reason}`)),
    )
    const report = (outcome: string): { report: JobReport } => ({ report: { result: 'done', outcome } })
    const run = createAttempts(
      {
        partner: 'wallet',
        ...(runUnloaded === undefined ? {} : { runUnloaded }),
        load: () => Promise.resolve(works),
        decide: (...given) => {
          const [, work] = given
          expect(JSON.stringify(given), 'what a decision sees').not.to.include(secret)
          if (work === 'end') return { write: { step: 'end', begun: report('ended') } }
          const attemptUntil = work === 'question' ? null : new Date(start.getTime() + leaseMs)
          const away = (step: string) => (until: Date) => {
            const ms = until.getTime() - now.getTime()
            return { step: `${step} ${ms}`, begun: report(step) }
          }
          return {
            write: { step: 'begin', begun: { attempt: { line, timeoutMs, attemptUntil, revision: 7 } } },
            call: {
              line,
              url,
              inLine: away('in line'),
              ...(isLeftAlone ? { unreachable: away('unreachable') } : {}),
            },
          }
        },
        store: (writes: readonly Write[]) => {
          told.push(...writes.map(({ step }) => step))
          return Promise.resolve(new Map(writes.map((write) => [write, write.begun])))
        },
        prepare: (_attempt: Made, caller: string) => ({
          send: () => {
            expect(caller).to.equal(secret)
            told.push('call')
            return Promise.resolve(outcome)
          },
        }),
        hear: (_attempt, heard: Outcome) => impressionOf(heard),
        pauseIfRefused: pauses.pauseIfRefused,
        record: {
          load: () => Promise.resolve(undefined),
          decide: ({ outcome: { kind } }: Ended<Made, Outcome>) => ({ write: kind }),
          store: (kinds: readonly string[]) => {
            if (recordFails) throw new Error('the database is away')
            const free = slots.take(line, newHolder()) ? 'with a slot free' : 'with no slot free'
            told.push(...kinds.map((kind) => `record ${kind} ${free}`))
            return Promise.resolve(new Map(kinds.map((kind) => [kind, kind])))
          },
        },
        finish: async ({ attempt: { attemptUntil }, outcome: { kind } }, record) => ({
          result: 'done',
          outcome: attemptUntil === null ? `answered ${kind}` : await record(),
        }),
      },
      {
        slots,
        clock: { now: () => now },
        random: () => 0,
        log: Object.assign(createLogger('test', 'silent'), {
          warn: (details: object, message: string) => warned.push([message, details]),
        }),
        names: {
          known: (_casinoId, of) => names[of],
          lookUp: (_casinoId, of) => {
            told.push('look up')
            names[of] = refused.includes(of) ? 'unknown' : 'found'
            return Promise.resolve()
          },
        },
      },
    )
    const runOne = async (outboxId = '1', casinoId = 'lucky') =>
      (await run({ outboxId, objectId: `o${outboxId}`, casinoId }, newHolder())).outcome
    return { slots, pauses, run: runOne }
  }
  beforeEach(() => {
    now = start
    told = []
    warned = []
    works = new Map([['1', { value: { work: 'call', caller: secret } }]])
    outcome = { kind: 'done' }
    leaseMs = 15_000
    names = { [url]: 'found' }
    isLeftAlone = true
    refused = []
    recordFails = false
    runUnloaded = undefined
  })

  it('commit the attempt, make the call, return the slot, and then record the result', async () => {
    const { run } = create(1)
    expect(await run()).to.equal('done')
    expect(told).to.deep.equal(['begin', 'call', 'record done with a slot free'])
  })

  it('record a result that needs no call, without taking a slot or looking up a name', async () => {
    works = new Map([['1', { value: { work: 'end', caller: secret } }]])
    names = {}
    const { run, slots } = create(1)
    expect(await run()).to.equal('ended')
    expect([told, slots.take(line, newHolder())]).to.deep.equal([['end'], true])
  })

  it('leave out the work that needs no load, and give each job its own report', async () => {
    const end = { value: { work: 'end' as const, caller: secret } }
    works = new Map(['1', '2', '3', '4'].map((outboxId) => [outboxId, end]))
    const asked: string[][] = []
    runUnloaded = (jobs) => {
      asked.push(jobs.map(({ outboxId }) => outboxId))
      return Promise.resolve(new Map([['2', { result: 'done' as const, outcome: 'finished unloaded' }]]))
    }
    const { run } = create()
    expect(await Promise.all(['1', '2', '3', '4'].map((outboxId) => run(outboxId)))).to.deep.equal([
      'ended',
      'finished unloaded',
      'ended',
      'ended',
    ])
    expect(asked).to.deep.equal([['1', '2', '3', '4']])
    expect(told).to.deep.equal(['end', 'end', 'end'])
  })

  it('load all works if the step without a load certainly had no effect, and none if it may have had one', async () => {
    works = new Map(['1', '2'].map((outboxId) => [outboxId, { value: { work: 'end', caller: secret } }]))
    const failures = [
      Object.assign(new Error('a row is refused'), { code: '23505' }),
      new Error('the connection was lost'),
    ]
    runUnloaded = () => Promise.reject(failures.shift() ?? new Error('asked too often'))
    const { run } = create()
    expect(await Promise.all([run('1'), run('2')])).to.deep.equal(['ended', 'ended'])
    expect(told).to.deep.equal(['end', 'end'])
    expect(warned.map(([message]) => message)).to.deep.equal(['works could not be done unloaded'])
    expect(
      await Promise.allSettled([run('1'), run('2')]).then((all) => all.map(({ status }) => status)),
    ).to.deep.equal(['rejected', 'rejected'])
    expect(told).to.deep.equal(['end', 'end'])
  })

  it('do nothing about work that is finished', async () => {
    expect(await create().run('gone')).to.equal('nothing_to_do')
    expect(told).to.deep.equal([])
  })

  it('take all works that the jobs of a worker bring, however many', async () => {
    const { run } = create()
    const outcomes = await Promise.all(Array.from({ length: 20_000 }, (_, n) => run(`gone-${n}`)))
    expect(new Set(outcomes)).to.deep.equal(new Set(['nothing_to_do']))
  })

  it('take the work of a casino before the backlog of another', async () => {
    const { run } = create()
    const finished: string[] = []
    const runAll = (casinoId: string, count: number) =>
      Array.from({ length: count }, async (_, n) => {
        await run(`gone-${casinoId}-${n}`, casinoId)
        finished.push(casinoId)
      })
    await Promise.all([...runAll('large', 5_000), ...runAll('small', 3)])
    expect(finished.lastIndexOf('small')).to.be.lessThan(512)
  })

  it('fail work that cannot be read, and no other work of the batch', async () => {
    works.set('2', { error: new Error('its secret does not open') })
    const { run } = create()
    const [one, two] = await Promise.allSettled([run('1'), run('2')])
    expect(one).to.deep.equal({ status: 'fulfilled', value: 'done' })
    expect(two.status).to.equal('rejected')
  })

  it('let work that finds no slot join the line, and give the next slot to the line', async () => {
    const { run, slots } = create(1)
    const other = newHolder()
    slots.take(line, other)
    expect(await run()).to.equal('in line')
    expect(told).to.deep.equal(['in line 600000'])
    slots.release(other)
    expect(slots.take(line, newHolder()), 'a newcomer').to.equal(false)
    expect(slots.reserve().map(({ line: { key } }) => key)).to.deep.equal([line.key])
  })

  it('look up a name before the attempt begins, and keep the slot meanwhile', async () => {
    names = {}
    expect(await create(1).run()).to.equal('done')
    expect(told).to.deep.equal(['look up', 'begin', 'call', 'record done with a slot free'])
  })

  it('are not made to a name that does not resolve, and return the slot', async () => {
    names = {}
    refused = [url]
    const { run, slots } = create(1)
    expect(await run()).to.equal('unreachable')
    expect(told).to.deep.equal(['look up', 'unreachable 5000'])
    expect(slots.take(line, newHolder())).to.equal(true)
  })

  it('hold back the line of a name that does not resolve, for as long as that of a silent partner', async () => {
    names = {}
    refused = [url]
    const { run, slots } = create()
    await run()
    slots.noteWaiting(line)
    expect(slots.reserve()).to.deep.equal([])
    slots.observe(line, { hasSucceeded: true, hasAnswered: true, startedMs: 0 })
    expect(slots.reserve()).to.have.length(1)
  })

  it('are made despite a name that does not resolve where that counts as a failed attempt', async () => {
    names = {}
    refused = [url]
    isLeftAlone = false
    outcome = { kind: 'unknown', problem: 'name_unknown' }
    expect(await create().run()).to.equal('unknown')
    expect(told).to.include.members(['begin', 'call'])
  })

  it('skip a call that might outlast its lease, and record and log the skip', async () => {
    leaseMs = timeoutMs - 1
    expect(await create().run()).to.equal('not_made')
    expect(told).to.deep.equal(['begin', 'record not_made with a slot free'])
    expect(warned).to.deep.equal([
      ['wallet call skipped: the attempt started too late', { casinoId: 'lucky', objectId: 'o1' }],
    ])
    told = []
    leaseMs = timeoutMs
    expect(await create().run()).to.equal('done')
  })

  it('skip a call that began ahead of its slot and gets none, and have its line served again', async () => {
    const { run, slots } = create()
    slots.turn = () => Promise.resolve(false)
    expect(await run()).to.equal('not_made')
    expect(told).to.deep.equal(['begin', 'record not_made with a slot free'])
    expect(slots.reserve().map(({ line: { key } }) => key)).to.deep.equal([line.key])
  })

  it('ask a partner a question, however late, without recording a result', async () => {
    works = new Map([['1', { value: { work: 'question', caller: secret } }]])
    now = new Date(start.getTime() + 86_400_000)
    expect(await create().run()).to.equal('answered done')
    expect(told).to.deep.equal(['begin', 'call'])
  })

  it('pause a partner that does not know the service before recording the result, with immediate effect', async () => {
    outcome = { kind: 'misconfigured', problem: 'status_401' }
    const { run, pauses } = create()
    expect(await run()).to.equal('misconfigured')
    expect(told.slice(1)).to.deep.equal([
      'call',
      'paused lucky 7 status_401',
      'record misconfigured with a slot free',
    ])
    expect([6, 7, 8].map((revision) => pauses.has('lucky', revision))).to.deep.equal([false, true, false])
    expect(pauses.has('other', 7)).to.equal(false)
  })

  it('return the slot when the result cannot be recorded', async () => {
    recordFails = true
    const { run, slots } = create(1)
    const [result] = await Promise.allSettled([run()])
    expect(result.status).to.equal('rejected')
    expect(slots.take(line, newHolder())).to.equal(true)
  })
})
