/** Loaded before a program, it makes the clock of its machine wrong by CLOCK_AHEAD_MS. Durations stay as they are. */
const RealDate = Date
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'])
const now = () => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
RealDate.prototype.constructor = globalThis.Date
