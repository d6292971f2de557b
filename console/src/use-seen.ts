import { useState } from 'preact/hooks'
import { ApiError } from './api.ts'

/**
 * Keeps a form from overwriting what others have changed while it was open. `refuseNewer` throws when the object is not as
 * the person has seen it; from then on `newer` is how it is now, to be shown, and sending the form again replaces that.
 */
export function useSeen<Seen extends { updated_at: string | null }>(shown: Seen) {
  const [seen, setSeen] = useState(shown)
  return {
    newer: seen === shown ? undefined : seen,
    refuseNewer: (now: Seen) => {
      if (now.updated_at === seen.updated_at) return
      setSeen(now)
      throw new ApiError('Somebody has changed it meanwhile. Nothing was saved: see above how it is now.', {
        code: 'changed_meanwhile',
        status: 409,
      })
    },
  }
}
