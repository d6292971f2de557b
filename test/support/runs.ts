/**
 * How often to try what chance chooses. `npm test` tries as often as finds most mistakes in seconds; with
 * `TEST_RUNS_FACTOR=10` the same tests try ten times as often. A test whose tries are slow can have fewer without a
 * factor.
 */
export const runs = (count: number, inShortForm = count): number =>
  isLongForm ? Math.ceil(count * factor) : inShortForm

const factor = Number(process.env['TEST_RUNS_FACTOR'] ?? 1)

/**
 * Whether this is the long form, with a factor above 1. It also has cases that rarely fail where their neighbours pass,
 * and take a process or more each: the same with the other queues, a second death, each part of a machine in turn. CI
 * runs it.
 */
export const isLongForm = factor > 1

/** A suite that only the long form runs: it checks what seldom changes, and costs much. Elsewhere it is shown as pending. */
export function describeInLongForm(title: string, suite: (this: Mocha.Suite) => void): void {
  // Mocha runs the hooks of a suite that is skipped.
  describe(title, isLongForm ? suite : () => it('is looked at by the long form'))
}

/** A test that only the long form runs. */
export function itInLongForm(title: string, test: (this: Mocha.Context) => unknown): Mocha.Test {
  const define = isLongForm ? it : it.skip
  return define(title, test as Mocha.AsyncFunc)
}

/** The cases for `npm test`, and those that only the long form adds. */
export function casesOf<Case>(usual: readonly Case[], inLongForm: readonly Case[]): readonly Case[] {
  return isLongForm ? [...usual, ...inLongForm] : usual
}

/**
 * The cases to try with the n-th of many subjects: all in the long form, and `count` otherwise, so that every case meets
 * some of the subjects.
 */
export function someOf<Case>(cases: readonly Case[], n: number, count: number): readonly Case[] {
  if (isLongForm) return cases
  const start = (n * count) % cases.length
  return [...cases.slice(start), ...cases.slice(0, start)].slice(0, count)
}
