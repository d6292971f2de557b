// Opens a box for a player, exactly once, however often the request has to be sent.
// BASE_URL=… API_KEY=rk_live_… node --import tsx open-box.ts PLAYER BOX
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

interface Opened {
  prize: { id: string; item_id: string; name: string }
}

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env
const attemptsMax = 5

/** Sends the request until the answer is final. All attempts share one key, so they open one box. */
async function openBox(playerId: string, boxId: string): Promise<Opened> {
  const idempotencyKey = randomUUID()
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(playerId, boxId, idempotencyKey)
    if (response?.ok) return (await response.json()) as Opened
    const isFinal = response !== undefined && response.status < 500 && response.status !== 429
    if (isFinal || attempt === attemptsMax) {
      const code = response?.headers.get('X-Error-Code') ?? 'no answer'
      throw new Error(`the box was not opened: ${code}`)
    }
    await sleep(Number(response?.headers.get('Retry-After') ?? 1) * 1000)
  }
}

/** Undefined without an answer: nobody knows whether the box was opened, and sending again finds out. */
async function send(playerId: string, boxId: string, idempotencyKey: string): Promise<Response | undefined> {
  try {
    return await fetch(`${baseUrl}/box/open`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ player_id: playerId, box_id: boxId }),
      signal: AbortSignal.timeout(10_000),
    })
  } catch {
    return undefined
  }
}

const [playerId = 'player-1', boxId = 'welcome-box'] = process.argv.slice(2)
const { prize } = await openBox(playerId, boxId)
console.log(`${playerId} won ${prize.name} (${prize.id})`)
