/** The use after which a casino's seed is rotated. */
export interface RotationLimits {
  afterDraws: number
  afterMs: number
}

/** The recorded use of an active seed. */
export interface SeedUse {
  activatedAt: Date
  /** Openings under the seed. */
  draws: number
}

/** Whether a seed is due for rotation. An unused seed is as good as a new one, however old it is. */
export function isRotationDue({ activatedAt, draws }: SeedUse, limits: RotationLimits, now: Date): boolean {
  if (draws === 0) return false
  return draws >= limits.afterDraws || now.getTime() - activatedAt.getTime() >= limits.afterMs
}
