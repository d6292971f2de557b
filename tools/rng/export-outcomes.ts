import { createHash } from 'node:crypto'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawBelow, drawEntry } from '../../core/box/draw.ts'
import { simulatedOpening } from '../../core/box/simulate-draws.ts'
import { commitmentOf, createDrawSource } from '../../core/fairness/derive.ts'

export interface ExportRequest {
  /** Is made in an existing folder; existing files are never overwritten. */
  dir: string
  count: number
  seed: Buffer
  weights: readonly bigint[]
  /** Calls `run` until all outcomes are written, with at most a few thousand at a time. */
  inSteps: (total: number, run: (count: number) => Promise<void>) => Promise<void>
}

/**
 * Writes the production code's draws for `count` openings into three files of which the n-th number, line and line
 * belong together; each is written as it is drawn, so memory does not grow. The manifest comes last: where there is
 * one, the others are complete.
 */
export async function exportOutcomes({ dir, count, seed, weights, inSteps }: ExportRequest): Promise<void> {
  await mkdir(dir).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  const files: OutputFile[] = []
  try {
    const [raw, tickets, entries] = [
      await createOutputFile(dir, 'raw.bin', files),
      await createOutputFile(dir, 'tickets.txt', files),
      await createOutputFile(dir, 'entries.txt', files),
    ]
    const draw = createDraw(seed, weights)
    let place = 0
    await inSteps(count, async (step) => {
      const outcomes = Array.from({ length: step }, () => draw(place++))
      const numbers = Buffer.alloc(8 * step)
      for (const [index, { number }] of outcomes.entries()) numbers.writeBigUInt64BE(number, 8 * index)
      await raw.write(numbers)
      await tickets.write(Buffer.from(outcomes.map(({ ticket }) => `${ticket}\n`).join('')))
      await entries.write(Buffer.from(outcomes.map(({ position }) => `${position}\n`).join('')))
    })
  } finally {
    for (const file of files) await file.close()
  }
  const manifest = describeExport({ count, seed, weights }, files)
  await writeFile(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' })
}

interface Outcome {
  number: bigint
  ticket: bigint
  position: number
}

function createDraw(seed: Uint8Array, weights: readonly bigint[]): (place: number) => Outcome {
  const entries = weights.map((weight, index) => ({ weight, position: index + 1 }))
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  return (place) => {
    const source = createDrawSource(seed, simulatedOpening(place))
    const numbers: bigint[] = []
    const { position } = drawEntry(entries, () => {
      const number = source()
      numbers.push(number)
      return number
    })
    // The same numbers again, as `drawEntry` does not tell the ticket.
    let used = 0
    const ticket = drawBelow(sum, () => numbers[used++] ?? source())
    return { number: numbers[0] ?? 0n, ticket, position }
  }
}

interface OutputFile {
  name: string
  write(bytes: Buffer): Promise<void>
  close(): Promise<void>
  bytes(): number
  sha256(): string
}

async function createOutputFile(dir: string, name: string, files: OutputFile[]): Promise<OutputFile> {
  const handle = await open(join(dir, name), 'wx')
  const hash = createHash('sha256')
  let bytes = 0
  const file: OutputFile = {
    name,
    write: async (chunk) => {
      await handle.writeFile(chunk)
      hash.update(chunk)
      bytes += chunk.length
    },
    close: () => handle.close(),
    bytes: () => bytes,
    sha256: () => hash.copy().digest('hex'),
  }
  files.push(file)
  return file
}

const formats: Record<string, string> = {
  'raw.bin': 'the first number of each opening: unsigned, 64 bits, big-endian, without separators',
  'tickets.txt': 'the ticket of each opening: a whole number from 0, below the sum of weights; one a line',
  'entries.txt': 'the place of the drawn entry among the weights, from 1; one a line',
}

function describeExport(
  { count, seed, weights }: Pick<ExportRequest, 'count' | 'seed' | 'weights'>,
  files: readonly OutputFile[],
): object {
  return {
    format: 1,
    count,
    seed: seed.toString('hex'),
    seed_commitment: commitmentOf(seed),
    weights: weights.map(Number),
    sum_of_weights: Number(weights.reduce((total, weight) => total + weight, 0n)),
    mapping: {
      opening:
        'opening n, from 0, is of player "simulated-" + (n mod 1000 + 1) with nonce floor(n / 1000) + 1',
      number:
        'number c, from 0, of an opening: the first 8 bytes, big-endian, of HMAC-SHA256(key: the 32 bytes of the seed; message: ["<player>",<nonce>,<c>])',
      ticket:
        'the first number whose leading bits, as many as (sum of weights - 1) has, are below the sum of weights; the ticket is these bits',
      entry: 'the entries laid end to end, each as long as its weight: the one that the ticket falls into',
    },
    files: files.map((file) => ({
      name: file.name,
      format: formats[file.name],
      bytes: file.bytes(),
      sha256: file.sha256(),
    })),
  }
}
