import { useState } from 'preact/hooks'
import { ApiError } from './api.ts'

/**
 * Keeps a form from overwriting other people's changes while it was open. `first` is the object as it was when the form
 * was opened, also if the page has loaded it again since. `unlessChanged` changes it at the revision that the person
 * has seen. If the service refuses that one, `newer` is how the object is now, to be shown, and sending the form again
 * replaces that.
 */
export function useSeen<Seen extends { revision: number }>(shown: Seen) {
  const [first] = useState(shown)
  const [newer, setNewer] = useState<Seen>()
  return {
    first,
    newer,
    unlessChanged: async <Changed>(
      change: (expectedRevision: number) => Promise<Changed>,
      read: () => Promise<Seen>,
    ): Promise<Changed> => {
      try {
        return await change((newer ?? first).revision)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'revision_changed') throw error
        setNewer(await read())
        throw new ApiError(
          'Somebody has changed it meanwhile. Nothing was saved: see above how it is now.',
          error,
          {
            cause: error,
          },
        )
      }
    },
  }
}
