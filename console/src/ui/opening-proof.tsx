import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../api.ts'
import { ProofView } from '../verify/proof.tsx'
import { verifyOpening } from '../verify/verify-opening.ts'
import type { Proof } from '../verify/verify-opening.ts'
import { Failure, Loading } from './states.tsx'

/** The verdict on an opening, computed in this browser from its evidence and nothing else. */
export function OpeningProof({ opening }: { opening: Schemas['OpeningEvidence'] }) {
  const [found, setFound] = useState<{ of: unknown; proof?: Proof; error?: unknown }>()
  useEffect(() => {
    let isCurrent = true
    verifyOpening({ ...opening }).then(
      (proof) => {
        if (isCurrent) setFound({ of: opening, proof })
      },
      (error: unknown) => {
        if (isCurrent) setFound({ of: opening, error })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [opening])
  if (found?.of !== opening) return <Loading what="the verdict" />
  return found.proof === undefined ? <Failure error={found.error} /> : <ProofView proof={found.proof} />
}
