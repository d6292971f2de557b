/** A casino, and for how long the oldest of what it waits for has been waiting. */
export interface WaitingCasino {
  casinoId: string
  seconds: number
}
