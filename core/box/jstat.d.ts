/** The part of jstat that we use; it has no types of its own. */
declare module 'jstat' {
  const jStat: {
    chisquare: { cdf(value: number, degreesOfFreedom: number): number }
  }
  export default jStat
}
