import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Signer } from '../../core/crypto/signer.ts'

const format = 'archived-events/1'

/** The signed description of a month's file. `tools/verify.mjs` reads it too. */
export interface Manifest {
  format: string
  month: string
  /** The name of the file beside it: a row in each line, as JSON, compressed with gzip. */
  file: string
  rows: number
  /** SHA-256 of the compressed file, and of its lines. */
  sha256: string
  content_sha256: string
  written_at: string
  signing_key: string
  signature: string
}

export function manifestPath(folder: string, month: string): string {
  return join(folder, `events-${month}.manifest.json`)
}

/**
 * Writes the file and then its manifest, each completely or not at all: both are on the disk before they get their names,
 * and their names before it returns.
 */
export async function writeMonthFile(
  { folder, month, signer, now }: { folder: string; month: string; signer: Signer; now: Date },
  lines: AsyncIterable<string>,
): Promise<Manifest> {
  const file = `events-${month}.ndjson.gz`
  const path = join(folder, file)
  const content = createHash('sha256')
  let rows = 0
  async function* counted() {
    for await (const line of lines) {
      const text = `${line}\n`
      content.update(text)
      rows += 1
      yield text
    }
  }
  await writeWhole(path, (partial) =>
    pipeline(Readable.from(counted()), createGzip(), createWriteStream(partial)),
  )
  const unsigned = {
    format,
    month,
    file,
    rows,
    sha256: await sha256OfFile(path),
    content_sha256: content.digest('hex'),
    written_at: now.toISOString(),
    signing_key: signer.publicKey,
  }
  const manifest = { ...unsigned, signature: signer.sign(canonical(unsigned)) }
  await writeWhole(manifestPath(folder, month), (partial) =>
    pipeline(Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]), createWriteStream(partial)),
  )
  return manifest
}

/** The manifest of a month, if this service has signed it and the file is as it says; otherwise the problem. */
export async function checkMonthFile({
  folder,
  month,
  signer,
}: {
  folder: string
  month: string
  signer: Signer
}): Promise<{ manifest: Manifest } | { problem: string }> {
  const manifest = parseManifest(await readFile(manifestPath(folder, month), 'utf8'))
  if (manifest === undefined) return { problem: 'the manifest is damaged: use a copy' }
  const { signature: signed, ...unsigned } = manifest
  if (typeof signed !== 'string' || !signer.isOwn(canonical(unsigned), signed))
    return { problem: 'the manifest is not signed by this service' }
  if (manifest.format !== format || manifest.month !== month)
    return { problem: 'the manifest is of another month' }
  const path = join(folder, manifest.file)
  if ((await stat(path).catch(() => undefined)) === undefined) return { problem: `there is no ${path}` }
  if ((await sha256OfFile(path)) !== manifest.sha256) return { problem: 'the file was altered' }
  return { manifest: { ...unsigned, signature: signed } }
}

export async function* readMonthFile(folder: string, { file }: Manifest): AsyncGenerator<string> {
  const input = createReadStream(join(folder, file))
  const unpacked = createGunzip()
  input.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  // Not by readline: it ends lines at U+2028 too, which a reason may contain.
  let rest = ''
  for await (const chunk of unpacked.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** The same as the manifest's `content_sha256`, of rows that are in the database. */
export async function sha256OfLines(lines: AsyncIterable<string>): Promise<string> {
  const content = createHash('sha256')
  for await (const line of lines) content.update(`${line}\n`)
  return content.digest('hex')
}

/** A manifest as a file has it. Its fields are those that were signed, once the signature has been checked. */
type Unchecked = Omit<Manifest, 'signature'> & { signature?: unknown }

/** Undefined if it is no JSON object; its signature vouches for the rest. */
function parseManifest(text: string): Unchecked | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  return typeof parsed === 'object' && parsed !== null ? (parsed as Unchecked) : undefined
}

/** JSON with the names sorted and no white space. */
function canonical(record: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))))
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  await write(partial)
  await sync(partial)
  await rename(partial, path)
  await sync(dirname(path)) // its names too
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
