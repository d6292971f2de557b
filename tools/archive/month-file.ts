import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Signer } from '../../core/crypto/signer.ts'
import { kindOf } from '../../core/archive/archived-month.ts'
import type { ArchivedKind } from '../../core/archive/archived-month.ts'
import type { Store } from './store.ts'

const format = 'archived-month/1'

/** The signed description of a month's file. `tools/verify.mjs` reads it too. */
export interface Manifest {
  format: string
  month: string
  /** The name of the file beside it: a row in each line, as JSON, compressed with gzip. */
  file: string
  rows: number
  /** How many of them each table has. */
  tables: Partial<Record<ArchivedKind, number>>
  /** SHA-256 of the compressed file, and of its lines. */
  sha256: string
  content_sha256: string
  written_at: string
  signing_key: string
  signature: string
}

export const manifestName = (month: string): string => `archive-${month}.manifest.json`

/** A month's manifest, signed by this service, and the version of the file that it was read from. */
export interface SignedManifest {
  manifest: Manifest
  version: string
}

/**
 * Stores the file and then its manifest, in place of `replaced` if there is one. What was stored is read back before the
 * manifest names it. `confirm` rejects if another run may have moved the month: then no manifest is stored.
 */
export async function writeMonthFile(
  { store, month, signer, now }: { store: Store; month: string; signer: Signer; now: Date },
  lines: AsyncIterable<string>,
  replaced: SignedManifest | undefined,
  confirm: () => Promise<void>,
): Promise<Manifest> {
  const file = `archive-${month}.ndjson.gz`
  const content = createHash('sha256')
  let rows = 0
  const tables: Manifest['tables'] = {}
  async function* counted() {
    for await (const line of lines) {
      const text = `${line}\n`
      content.update(text)
      rows += 1
      const kind = kindOf(line)
      tables[kind] = (tables[kind] ?? 0) + 1
      yield text
    }
    await confirm()
  }
  // A file that no manifest names is left from a run that was stopped.
  const version = (await store.open(file))?.version
  const packed = createHash('sha256')
  await pipeline(Readable.from(counted()), createGzip(), (chunks: AsyncIterable<Buffer>) =>
    store.put(file, hashed(chunks, packed), version),
  )
  const sha256 = packed.digest('hex')
  if ((await sha256OfFile(store, file)) !== sha256)
    throw new Error(`${store.placeOf(file)} is not as it was written: write the month again`)
  await confirm()
  const unsigned = {
    format,
    month,
    file,
    rows,
    tables,
    sha256,
    content_sha256: content.digest('hex'),
    written_at: now.toISOString(),
    signing_key: signer.publicKey,
  }
  const manifest = { ...unsigned, signature: signer.sign(canonical(unsigned)) }
  const text = Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
  await store.put(manifestName(month), text, replaced?.version)
  return manifest
}

/** Undefined without a manifest. Says why one must not be used: it is damaged, or not this service's. */
export async function readManifest({
  store,
  month,
  signer,
}: {
  store: Store
  month: string
  signer: Signer
}): Promise<SignedManifest | { problem: string } | undefined> {
  const stored = await store.open(manifestName(month))
  if (stored === undefined) return undefined
  const manifest = parseManifest(await readText(stored.content))
  if (manifest === undefined) return { problem: 'the manifest is damaged' }
  const { signature: signed, ...unsigned } = manifest
  if (typeof signed !== 'string' || !signer.isOwn(canonical(unsigned), signed))
    return { problem: 'the manifest is not signed by this service' }
  if (manifest.format !== format || manifest.month !== month)
    return { problem: 'the manifest is of another month' }
  return { manifest: { ...unsigned, signature: signed }, version: stored.version }
}

/** The problem of a file that is not as its manifest says. */
export async function findFileProblem(store: Store, { file, sha256 }: Manifest): Promise<string | undefined> {
  const found = await sha256OfFile(store, file)
  if (found === undefined) return `there is no ${store.placeOf(file)}`
  return found === sha256 ? undefined : 'the file was altered'
}

export async function* readMonthFile(store: Store, { file }: Manifest): AsyncGenerator<string> {
  const stored = await store.open(file)
  if (stored === undefined) throw new Error(`there is no ${store.placeOf(file)}`)
  const input = Readable.from(stored.content)
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

/** Undefined without the file. */
async function sha256OfFile(store: Store, name: string): Promise<string | undefined> {
  const stored = await store.open(name)
  if (stored === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of stored.content) hash.update(chunk)
  return hash.digest('hex')
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

/** More than any manifest has; another file may have its name. */
const manifestBytesMax = 64 * 1024

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    if (length > manifestBytesMax) return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}
