/** Identifies a box: ids are unique per casino. */
export interface BoxName {
  casinoId: string
  boxId: string
}

export function boxKeyOf({ casinoId, boxId }: BoxName): string {
  return JSON.stringify([casinoId, boxId])
}
