import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/** The progress of a request; the partner can have seen it only in the last stage. */
export type Stage = 'connecting' | 'securing' | 'sending'
const stages = new WeakMap<Socket, Stage>()

/** Watches a request that was just started. */
export function watchStage(request: ClientRequest, isEncrypted: boolean): () => Stage {
  let socket: Socket | undefined
  request.once('socket', (given) => {
    socket = given
    if (stages.has(given)) return
    stages.set(given, given.connecting ? 'connecting' : 'sending')
    given.once('connect', () => stages.set(given, isEncrypted ? 'securing' : 'sending'))
    given.once('secureConnect', () => stages.set(given, 'sending'))
  })
  return () => (socket === undefined ? 'connecting' : (stages.get(socket) ?? 'sending'))
}
