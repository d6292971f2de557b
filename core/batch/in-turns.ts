/** The first item of each lane, then the second of each … Lanes come in the order of their first items. */
export function* inTurns<Item>(items: readonly Item[], laneOf: (item: Item) => string): Generator<Item> {
  const lanes = new Map<string, Item[]>()
  for (const item of items) {
    const lane = lanes.get(laneOf(item))
    if (lane === undefined) lanes.set(laneOf(item), [item])
    else lane.push(item)
  }
  for (let turn = 0; lanes.size > 0; turn++) {
    for (const [name, lane] of lanes) {
      const item = lane[turn]
      if (item === undefined) lanes.delete(name)
      else yield item
    }
  }
}
