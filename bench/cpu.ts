import { readFile, readdir } from 'node:fs/promises'

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
export async function readProcessCpu(pid: number): Promise<CpuSeconds> {
  return (await readTimes(pid))?.own
}

/** What the ended children of this process used: the clients, which run one at a time. */
export async function readEndedChildrenCpu(): Promise<CpuSeconds> {
  return (await readTimes(process.pid))?.ofChildren
}

/** A process with all its descendants, running or ended: PostgreSQL has a process per connection. */
export async function readTreeCpu(root: number): Promise<CpuSeconds> {
  const times = await readAllTimes()
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
export async function readMachineCpu(): Promise<CpuSeconds> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => undefined)
  // cpu  user nice system idle iowait irq softirq steal …
  const fields = text?.split('\n')[0]?.trim().split(/\s+/).slice(1).map(Number)
  if (fields === undefined) return undefined
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields
  return (user + nice + system + irq + softirq) / ticksPerSecond
}

async function readAllTimes(): Promise<Map<number, ProcessTimes>> {
  const names = await readdir('/proc').catch(() => [])
  const all = new Map<number, ProcessTimes>()
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const times = await readTimes(Number(name))
    if (times !== undefined) all.set(Number(name), times)
  }
  return all
}

/** See proc(5), /proc/pid/stat; the second field is a name in brackets that may hold anything. */
async function readTimes(pid: number): Promise<ProcessTimes | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    parent: field(4),
    own: (field(14) + field(15)) / ticksPerSecond,
    ofChildren: (field(16) + field(17)) / ticksPerSecond,
  }
}
