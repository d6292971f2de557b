/** Names a box: ids are the casino's own. */
export interface BoxName {
  casinoId: string
  boxId: string
}

export function boxKeyOf({ casinoId, boxId }: BoxName): string {
  return JSON.stringify([casinoId, boxId])
}
