import { createSocket } from 'node:dgram'

/** A name server's reaction to a question: addresses (none: there is no such name), a failure, or no answer. */
export type DnsTreatment = readonly string[] | 'fail' | 'hang'

export interface FakeDns {
  /** `address:port`, for `createResolveName`. */
  server: string
  /** The names that were asked for, of either family, in order. */
  asked: readonly string[]
  /** How questions are treated from now on. Until then there are no names. */
  treat(how: (name: string) => DnsTreatment): void
  stop(): Promise<void>
}

const codes = { noError: 0, serverFailure: 2, noSuchName: 3 }
const typeA = 1
const typeAaaa = 28

/** A name server on this machine, over UDP. */
export async function startFakeDns(ttlSeconds = 60): Promise<FakeDns> {
  const asked: string[] = []
  let how: (name: string) => DnsTreatment = () => []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, question } = parseQuestion(query)
    asked.push(name)
    const treatment = how(name)
    if (treatment === 'hang') return
    const isFailing = treatment === 'fail'
    const addresses = isFailing ? [] : treatment
    const records = addresses.flatMap((address) => renderRecord(address, type, ttlSeconds))
    const code = isFailing ? codes.serverFailure : addresses.length === 0 ? codes.noSuchName : codes.noError
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    treat: (next) => {
      how = next
    },
    stop: () =>
      new Promise((resolve) => {
        socket.close(() => {
          resolve()
        })
      }),
  }
}

function parseQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

/** Of the family that was asked for; the name is that of the question. */
function renderRecord(address: string, type: number, ttlSeconds: number): Buffer[] {
  const isV6 = address.includes(':')
  if (type !== (isV6 ? typeAaaa : typeA)) return []
  const data = isV6 ? Buffer.alloc(16) : Buffer.from(address.split('.').map(Number))
  if (isV6) data.writeUInt8(1, 15) // ::1 is the only one that tests use
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttlSeconds, 6)
  head.writeUInt16BE(data.length, 10)
  return [Buffer.concat([head, data])]
}
