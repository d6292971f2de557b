/** Takes what undoes something, at the moment at which there is something to undo. */
export type AtEnd = (undo: () => unknown) => void

/**
 * For `before`: runs what it is given when the suite has ended, the latest first, each although another one failed. So
 * a `before` that skips or fails half-way undoes exactly what it has done. An `after` beside it would have to know how
 * far that was; that is why the linter takes none.
 */
export const atEndOfSuite = (): AtEnd => collect(after)

/** The same for `beforeEach` and for tests: when the test has ended. */
export const atEndOfTest = (): AtEnd => collect(afterEach)

const undoingsOfRun: (() => unknown)[] = []

/**
 * When all files of this process have run, if this is the process that was called. Mocha kills its other processes, and
 * the programs that they have started have to end by that.
 */
export const atEndOfRun: AtEnd = (undo) => {
  undoingsOfRun.push(undo)
}

export const endRun = (): Promise<void> => undoAll(undoingsOfRun.splice(0))

function collect(hook: (run: () => Promise<void>) => void): AtEnd {
  const undoings: (() => unknown)[] = []
  hook(() => undoAll(undoings.splice(0)))
  return (undo) => {
    undoings.push(undo)
  }
}

async function undoAll(undoings: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const undo of undoings.reverse()) {
    try {
      await undo()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'))
}
