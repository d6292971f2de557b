/** Does something with each of a list, at most `lanes` at a time, in the order of the list. */
export async function inParallel<Value>(
  lanes: number,
  values: Iterable<Value>,
  run: (value: Value) => Promise<void>,
): Promise<void> {
  const iterator = values[Symbol.iterator]()
  const work = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: lanes }, work))
}

/** Lets at most `lanes` calls run at a time; the others wait, in order. */
export function createLanes(lanes: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let free = lanes
  return async (run) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
