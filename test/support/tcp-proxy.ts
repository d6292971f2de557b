import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A network between a client and a server that can be cut. */
export interface TcpProxy {
  port: number
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>
  /** Lets connections through again, on the same port. */
  restore(): Promise<void>
  /** Keeps connections open but lets nothing through, either way. */
  freeze(): void
  thaw(): void
  /** How many connections have been made to it so far. */
  connections(): number
  stop(): Promise<void>
}

/** Listens on a free port of 127.0.0.1 and passes everything to the target. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  let connections = 0
  const server = createServer((client) => {
    connections++
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
      if (isFrozen) socket.pause()
    }
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => client.write(data))
    if (isFrozen) {
      client.pause()
      upstream.pause()
    }
  })
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
      for (const socket of sockets) socket.destroy()
    })
  return {
    port,
    cut,
    restore: () => listen(port),
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    connections: () => connections,
    stop: () => (server.listening ? cut() : Promise.resolve()),
  }
}
