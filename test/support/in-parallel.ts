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
