import { inflateRawSync } from 'node:zlib'

const endSignature = 0x06054b50
const entrySignature = 0x02014b50

/** The contents of a file in a ZIP archive, as its central directory has it. Throws if it has no such file. */
export function readZipEntry(archive: Buffer, name: string): Buffer {
  // Without a comment the end record is the last 22 bytes.
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== endSignature) throw new Error('not a ZIP archive without a comment')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new Error('a damaged ZIP archive')
    const nameLength = archive.readUInt16LE(at + 28)
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) return unpack(archive, at)
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  throw new Error(`the ZIP archive has no ${name}`)
}

function unpack(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10)
  const local = archive.readUInt32LE(entry + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + archive.readUInt32LE(entry + 20))
  return method === 0 ? packed : inflateRawSync(packed)
}
