import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** The bytes that came back over a connection, until its end. */
export interface RawExchange {
  text: string
  /** The other side has ended the connection; otherwise the time was over. */
  isClosed: boolean
}

/** Sends bytes as they are, piece by piece, and reads until the connection ends or nothing has come for a while. */
export function exchangeRaw(
  url: string,
  pieces: readonly (string | Buffer)[],
  { quietMs = 1_000 }: { quietMs?: number } = {},
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = openRaw(url)
    let text = ''
    let isClosed = true
    socket.setTimeout(quietMs, () => {
      isClosed = false
      socket.destroy()
    })
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => undefined) // it closes then
    socket.on('close', () => {
      resolve({ text, isClosed })
    })
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece, 'latin1')
    })
  })
}

export function openRaw(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port), noDelay: true })
}

/** The status of each answer, in their order. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
