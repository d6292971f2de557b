import { createSocket } from 'node:dgram'

/** A name server that hears questions and never answers, on a free port of this machine. */
export async function startSilentNameServer(): Promise<{ server: string; stop: () => Promise<void> }> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    server: `127.0.0.1:${socket.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        socket.close(() => {
          resolve()
        })
      }),
  }
}
