import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** CPU seconds since some beginning: only differences mean something. Undefined where there is no /proc. */
export type CpuSeconds = number | undefined

/** The kernel reports times in hundredths of a second on every architecture (USER_HZ). */
const ticksPerSecond = 100

interface ProcessTimes {
  parent: number
  own: number
  /** The time of children that have ended and were waited for. */
  ofChildren: number
}

/** The CPU time of a process alone. */
export function readProcessCpu(pid: number): CpuSeconds {
  return readTimes(pid)?.own
}

/** The CPU time of the ended children of this process: the clients, which run one at a time. */
export function readEndedChildrenCpu(): CpuSeconds {
  return readTimes(process.pid)?.ofChildren
}

/** The CPU time of a process and its children, running or ended: PostgreSQL has a process per connection. */
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

/** The CPU time of the whole machine, with all other programs, also those of the other machines on its host. */
export function readMachineCpu(): CpuSeconds {
  const text = readText('/proc/stat')
  // cpu  user nice system idle iowait irq softirq steal …
  const fields = text?.split('\n')[0]?.trim().split(/\s+/).slice(1).map(Number)
  if (fields === undefined) return undefined
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond
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

/** The text of a file, or undefined if it cannot be read: a process may have ended meanwhile. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
