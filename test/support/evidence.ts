import type { Client } from './client.ts'

/** The export's data of an opening, as far as tests look at it. */
export interface Evidence extends Record<string, unknown> {
  id: string
  player_id: string
  seed_id: string
  seed: string | null
  client_seed: string | null
  nonce: number
}

interface Page {
  data: Evidence[]
  next_cursor?: string
}

/** All pages of `GET /fairness/openings?…` as they were answered. */
export async function exportPages(client: Client, apiKey: string, query: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = ''; pages.length < 200;) {
    const reply = await client.send('GET', `/fairness/openings?${query}${cursor}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
    const page = reply.json as Page
    pages.push(page)
    if (page.next_cursor === undefined) return pages
    cursor = `&cursor=${page.next_cursor}`
  }
  throw new Error('an export without end')
}

export async function readSigningKey(client: Client): Promise<string> {
  const reply = await client.send('GET', '/fairness/key')
  return (reply.json as { data: { signing_key: string } }).data.signing_key
}
