import { Agent, request } from 'node:http'
import { checkReply } from '../../support/check-reply.ts'
import { inParallel } from '../../support/in-parallel.ts'
import type { Reply } from '../../support/client.ts'
import { generateRequest } from './odd-requests.ts'
import type { OddRequest, Target } from './odd-requests.ts'
import { createRandom } from './random.ts'

/** The outcome of many odd requests. */
export interface AttackResult {
  /** How many answers there were of each status. */
  statuses: Record<number, number>
  /** The first hundred answers that should not have been given, with their requests. */
  surprises: string[]
}

/** Some dozens of requests at the same time, as in a busy hour. */
const concurrency = 32
const surprisesMax = 100

/** Sends requests number `first` to `last` of a seed, and looks at every answer. */
export async function attack(
  url: string,
  target: Target,
  { seed, first, last }: { seed: number; first: number; last: number },
): Promise<AttackResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const statuses: Record<number, number> = {}
  const surprises: string[] = []
  const numbers = Array.from({ length: last - first }, (_, index) => first + index)
  try {
    await inParallel(concurrency, numbers, async (number) => {
      // Each request has a random generator of its own, so that it can be repeated without the earlier ones.
      const odd = generateRequest(createRandom(seed * 1_000_003 + number), target)
      const tell = (what: string) => {
        if (surprises.length < surprisesMax) surprises.push(`#${number} ${what} for ${describe(odd)}`)
      }
      try {
        const reply = await send(url, agent, odd)
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
        for (const problem of findProblems(odd, reply)) tell(problem)
      } catch (error) {
        tell(error instanceof Error ? error.message : String(error))
      }
    })
  } finally {
    agent.destroy()
  }
  return { statuses, surprises }
}

function describe({ method, path, headers, body }: OddRequest): string {
  return JSON.stringify({ method, path, headers, body: body.toString('utf8').slice(0, 1_000) }).slice(
    0,
    2_000,
  )
}

/** These show on purpose what the service is built with; the code of the viewer is public. */
const saysWhatWeAreMadeOf = /^\/(openapi\.json|docs|docs\/viewer\.(js|css)|admin\/state)(\?|$)/

function findProblems(odd: OddRequest, reply: Reply): string[] {
  const problems: string[] = []
  const [path = ''] = odd.path.split('?')
  const isOverload = reply.headers.get('X-Error-Code') === 'overloaded'
  if (reply.status >= 500 && !isOverload) problems.push(`${reply.status} ${reply.text.slice(0, 300)}`)
  if (!saysWhatWeAreMadeOf.test(odd.path)) {
    const leak = leaks.find((pattern) => pattern.test(reply.text))
    if (leak !== undefined) problems.push(`${String(leak)} in ${reply.text.slice(0, 500)}`)
  }
  if (reply.headers.get('X-Injected') !== null) problems.push('a header was injected')
  try {
    checkReply(odd.method, path, reply)
  } catch (error) {
    problems.push(error instanceof Error ? error.message.slice(0, 600) : String(error))
  }
  return problems
}

/** Signs of the service's internals: no request contains any of them. */
const leaks = [
  /\n\s+at |\bat [\w.<>]+ \(|\(node:|file:\/\/\/\w+\/\w|node_modules|\.[cm]?[jt]s:\d+/,
  /\b(Type|Range|Syntax|Reference|Prisma\w*|Validation|Rewards|Input)Error\b/,
  /\b(prisma|postgres(ql)?|sqlstate|bullmq|ioredis|redis|joi|koa|pino|nodejs)\b/i,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*\b(FROM|VALUES|SET|WHERE)\b/,
  /\b(relation|column|constraint) "?\w+"? (does not exist|violates)|violates .* constraint|duplicate key/,
  /Cannot (read|set) propert|is not (a function|defined|iterable)|Unexpected (token|end)|\[object Object\]/,
  /\/(work|home|usr|app|root|tmp)\/\w/,
]

function send(url: string, agent: Agent, { method, path, headers, body }: OddRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    // Node's client leaves the length out for some methods, and the body would then be read as a second request.
    const all = { ...headers, 'Content-Length': Buffer.byteLength(body) }
    const outgoing = request(
      { agent, hostname, port, method, path, headers: all, timeout: 30_000 },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: toHeaders(response.rawHeaders),
            text,
            json: parse(text),
          })
        })
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
