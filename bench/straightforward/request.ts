/** What every operation is told of its caller, with its own parameters. */
export type RequestOf<Parameters> = Parameters & {
  casinoId: string
  playerId: string
  actor: string
  requestId: string
}
