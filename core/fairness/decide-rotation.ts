/** After how much use a casino goes on with its next seed. */
export interface RotationLimits {
  afterDraws: number
  afterMs: number
}

/** What is known of the use of an active seed. */
export interface SeedUse {
  activatedAt: Date
  /** Openings under the seed. */
  draws: number
}

/** Whether a seed has been used enough. One that nobody has used is as good as new, however old it is. */
export function isRotationDue({ activatedAt, draws }: SeedUse, limits: RotationLimits, now: Date): boolean {
  if (draws === 0) return false
  return draws >= limits.afterDraws || now.getTime() - activatedAt.getTime() >= limits.afterMs
}
