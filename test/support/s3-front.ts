import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An error of the store, by its code; or the server's answer, of which the second half is missing. */
export type Instead = { status: number; code: string } | 'half an answer'

/** Stands before an S3 server, and answers some requests as other stores and bad networks do. */
export interface S3Front {
  port: number
  /** The requests so far, such as `PUT a/b?partNumber=1`. */
  requests: string[]
  stop(): Promise<void>
}

export async function startS3Front(
  serverPort: number,
  answerInstead: (asked: IncomingMessage) => Instead | undefined = () => undefined,
): Promise<S3Front> {
  const requests: string[] = []
  const server = createServer((asked, answer) => {
    requests.push(`${asked.method ?? ''} ${(asked.url ?? '').replace(/^\/[^/]*\//, '')}`)
    const instead = answerInstead(asked)
    if (instead === undefined || instead === 'half an answer') {
      pass(serverPort, asked, answer, instead !== undefined)
      return
    }
    asked.resume().on('end', () => {
      answer.writeHead(instead.status, { 'content-type': 'application/xml' })
      answer.end(
        `<?xml version="1.0"?><Error><Code>${instead.code}</Code><Message>a message</Message></Error>`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** With the same `Host`, which is signed. */
function pass(port: number, asked: IncomingMessage, answer: ServerResponse, isHalf: boolean): void {
  const { method, url, headers } = asked
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 500, answered.headers)
    if (!isHalf) {
      answered.pipe(answer)
      return
    }
    const chunks: Buffer[] = []
    answered.on('data', (chunk: Buffer) => chunks.push(chunk))
    answered.on('end', () => {
      const body = Buffer.concat(chunks)
      answer.write(body.subarray(0, body.length / 2), () => answer.destroy())
    })
  })
  passed.on('error', () => answer.destroy())
  asked.pipe(passed)
}
