/** A casino, and how long its oldest work has been waiting. */
export interface WaitingCasino {
  casinoId: string
  seconds: number
}
