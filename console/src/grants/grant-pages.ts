import type { PlannedGrant } from './check-grants.ts'

/** A grant as `POST …/grants` takes it. Each has an id, so that sending it again grants nothing again. */
export interface GrantWithId {
  player_id: string
  box_id: string
  count: number
  grant_id: string
  expires_at?: string
}

/** The grants of one request. */
export interface GrantPage {
  firstLine: number
  lastLine: number
  grants: readonly GrantWithId[]
}

/** The limits of one request of the API; its bodies have at most 1 MiB. */
const grantsMax = 1_000
const bytesMax = 900_000

/** The grants in the order of their lines. Those without an id get one of the name of the file's batch and their line. */
export function toPages(planned: readonly PlannedGrant[], batch: string): GrantPage[] {
  const pages: GrantPage[] = []
  let grants: GrantWithId[] = []
  let [bytes, firstLine, lastLine] = [0, 0, 0]
  const close = () => {
    if (grants.length > 0) pages.push({ firstLine, lastLine, grants })
    grants = []
    bytes = 0
  }
  for (const { line, grant_id: id, ...rest } of planned) {
    const grant = { ...rest, grant_id: id ?? `${batch}-${line}` }
    const size = sizeOf(JSON.stringify(grant)) + 1
    if (grants.length === grantsMax || bytes + size > bytesMax) close()
    if (grants.length === 0) firstLine = line
    grants.push(grant)
    bytes += size
    lastLine = line
  }
  close()
  return pages
}

const encoder = new TextEncoder()

function sizeOf(text: string): number {
  return encoder.encode(text).length
}

/** The same for the same grants: a page that is sent twice has one effect and the same answer. */
export async function keyOf({ grants }: GrantPage): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(JSON.stringify(grants)))
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `grants-file-${hex}`
}

/** Why a name cannot be that of a batch: the ids of grants are made of it. */
export function findBatchProblem(batch: string): string | undefined {
  return batch.trim() === batch && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(batch)
    ? undefined
    : 'The name must have 1 to 100 characters, without spaces at its ends.'
}
