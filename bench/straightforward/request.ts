/** The parameters of an operation, with the details of the caller that every operation gets. */
export type RequestOf<Parameters> = Parameters & {
  casinoId: string
  playerId: string
  actor: string
  requestId: string
}
