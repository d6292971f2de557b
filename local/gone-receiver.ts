import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Runs a receiver of webhooks that answers 410 to everything, which says that it is gone and wants nothing any more, as
 * long as `use` needs it.
 */
export async function withGoneReceiver(use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(410, { Connection: 'close' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await use(`http://127.0.0.1:${port}/rewards`)
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
