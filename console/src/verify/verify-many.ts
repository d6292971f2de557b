import { compareOpenings } from './compare-openings.ts'
import { read, readText } from './record.ts'
import type { Row } from './record.ts'
import type { Handed } from './read-openings.ts'
import { verifyOpening, verifyReceipt } from './verify-opening.ts'
import type { Proof } from './verify-opening.ts'

/** The results for the whole input. */
export interface Report {
  /** Failed ones first, otherwise as they were handed in. */
  proofs: readonly Proof[]
  /** The contradictions between openings that are right by themselves, in words. */
  conflicts: readonly string[]
}

/** So many at a time, between which the page answers its user. */
const batchSize = 50

/** Checks all openings, by themselves and against each other, and says after each batch how many are done. */
export async function verifyMany(
  { openings, receipts }: Handed,
  signingKey: string | undefined,
  onProgress: (done: number) => void,
): Promise<Report> {
  const proofs: Proof[] = []
  const once = takeOnce(openings)
  for (let start = 0; start < once.length; start += batchSize) {
    const batch = once.slice(start, start + batchSize)
    const verified = batch.map((row) =>
      verifyOpening(row, { signingKey, receipt: receipts.get(readText(row, 'id') ?? '') }),
    )
    proofs.push(...(await Promise.all(verified)))
    onProgress(proofs.length)
  }
  const ids = new Set(openings.map((row) => readText(row, 'id')))
  const lone = [...receipts].filter(([id]) => !ids.has(id)).map(([, receipt]) => verifyReceipt(receipt))
  const all = [...proofs, ...lone]
  const isWrong = ({ result }: Proof) => result === 'wrong'
  return {
    proofs: [...all.filter(isWrong), ...all.filter((proof) => !isWrong(proof))],
    conflicts: compareOpenings(proofs.filter((proof) => !isWrong(proof)).map(({ row }) => row)),
  }
}

/** Equal rows once; and of an opening that was exported before and after the reveal, the row with the seed. */
function takeOnce(rows: readonly Row[]): Row[] {
  const different = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
  const revealed = new Set(
    different.filter((row) => read(row, 'seed') !== null).map((row) => readText(row, 'id') ?? ''),
  )
  return different.filter((row) => read(row, 'seed') !== null || !revealed.has(readText(row, 'id') ?? ''))
}
