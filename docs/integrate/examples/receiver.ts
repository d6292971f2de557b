// A webhook receiver: checks the signature, acts on each event once, answers at once.
// WEBHOOK_SECRET=whsec_… PORT=4000 node --import tsx receiver.ts
import { createServer } from 'node:http'
import { isSigned } from './signature.ts'

interface Event {
  id: string
  type: string
  object: { type: string; id: string }
}

const { WEBHOOK_SECRET: secret = '', PORT: port = '4000' } = process.env
const bodyBytesMax = 1_000_000
/** In production this belongs in your database, in the transaction that acts on the event. */
const seen = new Set<string>()

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyBytesMax) request.destroy()
    else chunks.push(chunk)
  })
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (!isSigned(secret, request.headers, body)) {
      response.writeHead(400).end()
      return
    }
    const event = JSON.parse(body.toString()) as Event
    if (!seen.has(event.id)) {
      seen.add(event.id)
      console.log(`${event.type} ${event.object.id}`)
    }
    response.writeHead(204).end()
  })
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}/`)
})
