import fc from 'fast-check'
import type { TestCasino } from '../factory.ts'
import { beginWorld } from './begin-world.ts'
import { commandLists } from './commands.ts'
import type { ModelCommand } from './commands.ts'
import type { ModelOptions } from './options.ts'
import { settleAll } from './settle.ts'
import { newModel } from './world.ts'
import type { Machine, Wishes } from './world.ts'

/** A machine that casinos can be made in, and that a run may find in any condition. */
export interface RunnableMachine extends Machine {
  createCasino(): Promise<TestCasino>
}

const wishes = fc.record<Wishes>({
  wallet: fc.constantFrom('http', 'http', 'ledger'),
  fulfilment: fc.constantFrom('http', 'http', 'manual'),
  hasWebhooks: fc.boolean(),
})

/**
 * Carries out lists of commands, each with a casino of its own, until one fails or there have been enough. `whenIdle`
 * resolves when no list is under way any more: when time is up, fast-check does not wait for the last one.
 */
export function createModelRuns(machine: RunnableMachine, options: ModelOptions) {
  let underWay: Promise<unknown> = Promise.resolve()

  const runOne = async (wished: Wishes, commands: Iterable<ModelCommand>) => {
    if (machine.countWorkers() === 0) await machine.startWorker()
    const { world, end } = await beginWorld(machine, await machine.createCasino(), wished)
    const model = newModel()
    try {
      await fc.asyncModelRun(() => ({ model, real: world }), commands)
      await settleAll(model, world)
    } catch (error) {
      // The commands name objects by numbers; this says what they were.
      if (error instanceof Error) error.message += `\nThe moves were: ${model.log.join(', ')}`
      throw error
    } finally {
      await end()
    }
  }
  const property = fc.asyncProperty(
    wishes,
    commandLists(options.commands, options.replayPath, machine.killApi !== undefined),
    async (wished, commands) => {
      const run = runOne(wished, commands)
      underWay = Promise.allSettled([run])
      await run
    },
  )
  return {
    assert: () =>
      fc.assert(property, {
        ...options.parameters,
        plugins: [fc.interruptAfterTimeLimit(options.limitMs)],
      }),
    whenIdle: () => underWay,
  }
}
