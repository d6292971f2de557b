import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** CPU seconds since some beginning: only differences mean something. Undefined where there is no /proc. */
export type CpuSeconds = number | undefined

/** The kernel tells times in hundredths of a second on every architecture (USER_HZ). */
const ticksPerSecond = 100

interface ProcessTimes {
  parent: number
  own: number
  /** Of children that have ended and were waited for. */
  ofChildren: number
}

/** What a process used itself. */
export function readProcessCpu(pid: number): CpuSeconds {
  return readTimes(pid)?.own
}

/** What the ended children of this process used: the clients, which run one at a time. */
export function readEndedChildrenCpu(): CpuSeconds {
  return readTimes(process.pid)?.ofChildren
}

/** A process with all its descendants, running or ended: PostgreSQL has a process per connection. */
export function readTreeCpu(root: number): CpuSeconds {
  const times = readAllTimes()
  const top = times.get(root)
  if (top === undefined) return undefined
  let sum = top.own + top.ofChildren
  for (const [pid, { parent }] of times) {
    const child = times.get(pid)
    if (parent === root && child !== undefined) sum += child.own + child.ofChildren
  }
  return sum
}

/** What the whole machine used, other people's programs included. */
export function readMachineCpu(): CpuSeconds {
  const text = readText('/proc/stat')
  // cpu  user nice system idle iowait irq softirq steal …
  const fields = text?.split('\n')[0]?.trim().split(/\s+/).slice(1).map(Number)
  if (fields === undefined) return undefined
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields
  return (user + nice + system + irq + softirq) / ticksPerSecond
}

function readAllTimes(): Map<number, ProcessTimes> {
  const all = new Map<number, ProcessTimes>()
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue
    const times = readTimes(Number(name))
    if (times !== undefined) all.set(Number(name), times)
  }
  return all
}

/** See proc(5), /proc/pid/stat; the second field is a name in brackets that may hold anything. */
function readTimes(pid: number): ProcessTimes | undefined {
  const text = readText(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    parent: field(4),
    own: (field(14) + field(15)) / ticksPerSecond,
    ofChildren: (field(16) + field(17)) / ticksPerSecond,
  }
}

/** In parallel: a process that is busy with its load would otherwise be a while about it, and read them apart. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
