import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { formatNumber } from './load.ts'
import type { OverloadLoad, OverloadResult } from './overload.ts'

/**
 * Sends the load that the first argument describes as JSON: requests at a fixed rate, or without a rate as fast as they
 * are answered. It uses bare sockets, because a client that parses properly would be overloaded before the service.
 */
const load = JSON.parse(process.argv[2] ?? '') as OverloadLoad
const tickMs = 2

const { hostname, port } = new URL(load.url)
const acceptedMs: number[] = []
const refusedMs: number[] = []
let failed = 0
let sent = 0
let unsent = 0
let number = load.first
const idle: (() => void)[] = []
const sockets: Socket[] = []
/** Opening thousands of connections takes a while and is not part of the load. */
let endsAtMs = Infinity

function nextRequest(): string {
  const body = load.operation.bodyTemplate.replaceAll('{n}', formatNumber(number++))
  return `POST ${load.operation.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${load.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Opens a connection for one request at a time; it reads only the status of an answer. */
async function openConnection(): Promise<() => void> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  sockets.push(socket)
  let text = ''
  let sentAtMs = 0
  const send = () => {
    sentAtMs = performance.now()
    sent += 1
    socket.write(nextRequest())
  }
  const goOn = () => {
    if (performance.now() >= endsAtMs) return
    if (load.rate === undefined) send()
    else idle.push(send)
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < headEnd + 4 + length) return
    const status = text.slice(9, 12)
    const retryAfter = Number(/retry-after: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0)
    text = ''
    const tookMs = performance.now() - sentAtMs
    if (status === '200') acceptedMs.push(tookMs)
    else if (status === '503') refusedMs.push(tookMs)
    else failed += 1
    if (status === '503' && load.waitsAsTold === true) setTimeout(goOn, retryAfter * 1_000).unref()
    else goOn()
  })
  await once(socket, 'connect')
  socket.on('error', () => undefined) // it is closed then
  socket.on('close', () => (failed += 1))
  return goOn
}

/** Sends the due requests that find a free connection. If one does not, this client or the machine is the limit. */
function sendWhatIsDue(rate: number, beganMs: number): void {
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs >= endsAtMs) {
      clearInterval(timer)
      return
    }
    const due = Math.floor(((nowMs - beganMs) / 1000) * rate) - sent - unsent
    for (let n = 0; n < due; n++) {
      const send = idle.shift()
      if (send === undefined) unsent += 1
      else send()
    }
  }, tickMs)
}

const percentile = (list: number[], share: number) =>
  list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0

const begin: (() => void)[] = []
while (begin.length < load.connections) {
  const some = Math.min(100, load.connections - begin.length)
  begin.push(...(await Promise.all(Array.from({ length: some }, openConnection))))
}
const startedMs = performance.now()
endsAtMs = startedMs + load.seconds * 1000
for (const goOn of begin) goOn()
if (load.rate !== undefined) sendWhatIsDue(load.rate, startedMs)
await new Promise((resolve) => setTimeout(resolve, Math.max(0, endsAtMs - performance.now())))
const seconds = (performance.now() - startedMs) / 1000
for (const socket of sockets)
  socket
    .removeAllListeners()
    .on('error', () => undefined)
    .destroy()
const result: OverloadResult = {
  seconds,
  sent,
  unsent,
  accepted: acceptedMs.length,
  refused: refusedMs.length,
  failed,
  acceptedP50Ms: percentile(acceptedMs, 0.5),
  acceptedP99Ms: percentile(acceptedMs, 0.99),
  refusedP50Ms: percentile(refusedMs, 0.5),
  refusedP99Ms: percentile(refusedMs, 0.99),
  next: number,
}
console.log(JSON.stringify(result))
