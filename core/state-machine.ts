/** From each state, the states that may follow. */
export type TransitionTable<State extends string> = Readonly<Record<State, readonly State[]>>

export function canMove<State extends string>(
  table: TransitionTable<State>,
  from: State,
  to: State,
): boolean {
  return table[from].includes(to)
}

/** Narrows a text from the database or a caller to a state of the table. */
export function isStateOf<State extends string>(table: TransitionTable<State>, text: string): text is State {
  return Object.hasOwn(table, text)
}
