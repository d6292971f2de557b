/** What we use of jstat, which brings no types. */
declare module 'jstat' {
  const jStat: {
    chisquare: { cdf(value: number, degreesOfFreedom: number): number }
  }
  export default jStat
}
