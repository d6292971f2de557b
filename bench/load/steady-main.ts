import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { formatNumber } from './load.ts'
import type { SteadyAnswer, SteadyLoad } from './steady.ts'

/**
 * Sends requests at a fixed rate, whether the ones before are answered or not, and notes when each answer was complete.
 * The load is given as JSON in the first argument.
 */
const load = JSON.parse(process.argv[2] ?? '') as SteadyLoad
const agent = new Agent({ keepAlive: true, maxSockets: 2_048 })
const answers: SteadyAnswer[] = []
const tickMs = 1

function send(number: number, dueMs: number): Promise<void> {
  const body = load.operation.bodyTemplate.replaceAll('{n}', formatNumber(number))
  return new Promise((resolve) => {
    const end = (isAcknowledged: boolean) => {
      answers.push({ number, isAcknowledged, dueMs, answeredMs: nowMs() })
      resolve()
    }
    const call = request(
      `${load.url}${load.operation.path}`,
      {
        agent,
        method: 'POST',
        timeout: 30_000,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          Authorization: `Bearer ${load.apiKey}`,
        },
      },
      (response) => {
        response.resume().on('end', () => {
          end(response.statusCode === 200)
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error('no answer')))
    call.on('error', () => {
      end(false)
    })
    call.end(body)
  })
}

/** The time of day, as the services and queues on this machine see it, but with fractions of milliseconds. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

const count = Math.floor(load.rate * load.seconds)
const startedMs = nowMs()
const calls: Promise<void>[] = []
while (calls.length < count) {
  const dueCount = Math.min(count, Math.floor(((nowMs() - startedMs) * load.rate) / 1000) + 1)
  while (calls.length < dueCount) {
    calls.push(send(load.first + calls.length, startedMs + (calls.length * 1000) / load.rate))
  }
  await delay(tickMs)
}
await Promise.all(calls)
agent.destroy()
await writeFile(load.answersFile, JSON.stringify(answers))
