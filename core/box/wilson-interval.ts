/** The quantile of the normal distribution for 95 %. */
const z = 1.959963984540054

/**
 * Wilson's score interval: where the probability of something lies, in 95 of 100 cases, that was seen `count` times in
 * `trials`. It holds for rare things and few trials too. Null without a trial.
 */
export function wilsonInterval(count: number, trials: number): { low: number; high: number } | null {
  if (trials === 0) return null
  const share = count / trials
  const square = z * z
  const centre = share + square / (2 * trials)
  const margin = z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials))
  const scale = 1 + square / trials
  return {
    low: count === 0 ? 0 : Math.max(0, (centre - margin) / scale),
    high: count === trials ? 1 : Math.min(1, (centre + margin) / scale),
  }
}
