import { bytesOf, fromHex, sha256, subtle } from './draw-again.ts'
import { isHex, isRow, read } from './record.ts'
import type { Row } from './record.ts'

/** The field that was altered after the service had signed the row, or that the signature cannot be checked here. */
export type Alteration = { field: string } | 'unsupported' | undefined

/**
 * Whether a row is as the service signed it: each field has its digest, and the digests have their signature. `key` is
 * the service's, where it is known; otherwise the row's own counts.
 */
export async function findAlteration(row: Row, key?: string): Promise<Alteration> {
  const { digests, signature, ...fields } = row
  const expected = Object.fromEntries(
    await Promise.all(
      Object.entries(fields).map(async (entry) => [entry[0], await digestOf(entry)] as const),
    ),
  )
  const signed = isRow(digests) ? digests : {}
  const names = [...new Set([...Object.keys(expected), ...Object.keys(signed)])]
  const differing = names.filter((name) => read(expected, name) !== read(signed, name))
  const signer = read(row, 'signing_key')
  const isSound = isRow(digests) ? await isSignature(signer, canonical(digests), signature) : false
  if (isSound === true) {
    const [first] = differing
    if (first !== undefined) return { field: first }
    return key === undefined || key === signer ? undefined : { field: 'signing_key' }
  }
  if (isSound === 'unsupported') return differing[0] === undefined ? isSound : { field: differing[0] }
  if ((await isSignature(signer, canonical(expected), signature)) === true) return { field: 'digests' }
  const [only, ...others] = differing
  return { field: only === 'signing_key' && others.length === 0 ? only : 'signature' }
}

async function digestOf(entry: readonly [name: string, value: unknown]): Promise<string> {
  return (await sha256(JSON.stringify(entry))).slice(0, 32)
}

/** JSON with the names sorted and no white space. */
function canonical(row: Row): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Ed25519, which browsers have since 2023 to 2025. */
async function isSignature(key: unknown, text: string, signature: unknown): Promise<boolean | 'unsupported'> {
  if (!isHex(key, 64) || !isHex(signature, 128)) return false
  const algorithm = { name: 'Ed25519' }
  try {
    const publicKey = await subtle().importKey('raw', fromHex(key), algorithm, false, ['verify'])
    return await subtle().verify(algorithm, publicKey, fromHex(signature), bytesOf(text))
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotSupportedError') return 'unsupported'
    // The bytes are not a public key.
    if (name === 'DataError' || name === 'OperationError') return false
    throw error
  }
}
