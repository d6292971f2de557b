import { useState } from 'preact/hooks'
import { ApiError, answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { useQuery } from '../use-query.ts'

type PlayerPath = { casino_id: string; player_id: string }
type Preview = Schemas['ErasurePreview']

interface EraseProps {
  path: PlayerPath
  title: string
  onClose: () => void
  /** With the message about the result. */
  onDone: (text: string) => void
}

/** Shows what would be erased, and erases exactly that: a change in between is refused and shown. */
export function ErasePlayer(props: EraseProps) {
  const { path, title, onClose } = props
  const { value, error, reload } = useQuery(`erasure ${path.casino_id} ${path.player_id}`, (signal) =>
    readPreview(path, signal),
  )
  if (value !== undefined) return <ErasePreviewed {...props} preview={value} />
  return (
    <Dialog title={title} onClose={onClose}>
      {error === undefined ? <Loading what="the preview" /> : <Failure error={error} retry={reload} />}
    </Dialog>
  )
}

async function readPreview(path: PlayerPath, signal?: AbortSignal): Promise<Preview> {
  const options = { params: { path }, ...(signal === undefined ? {} : { signal }) }
  return (await answered(api.GET('/admin/casinos/{casino_id}/players/{player_id}/erasure', options))).data
}

function ErasePreviewed({ path, title, onClose, onDone, preview }: EraseProps & { preview: Preview }) {
  const [newer, setNewer] = useState<Preview>()
  const shown = newer ?? preview
  return (
    <ReasonDialog
      title={title}
      button={title}
      tone="danger"
      text="This cannot be undone. Prizes, orders, amounts and draws stay, under the player’s id."
      fields={(problemOf) => (
        <>
          {newer !== undefined && <p class="problem">It has changed. This is how it is now:</p>}
          <Contents preview={shown} />
          <Field
            name="player_id"
            label="Type the player’s id to confirm"
            problem={problemOf('player_id')}
            isRequired
          />
        </>
      )}
      onClose={onClose}
      onSubmit={async (header, { player_id: typed = '', reason = '' }) => {
        if (typed !== path.player_id) {
          const fields = { player_id: 'This is another id.' }
          throw new ApiError('Nothing was erased.', { code: 'invalid_payload', status: 422, fields })
        }
        const body = { reason, expected_content_hash: shown.content_hash }
        const params = { path, header }
        try {
          const { data } = await answered(
            api.POST('/admin/casinos/{casino_id}/players/{player_id}/erase', { params, body }),
          )
          onDone(textOf(data))
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'revision_changed') throw error
          setNewer(await readPreview(path))
          throw new ApiError('Nothing was erased: see above what it would be now.', error, { cause: error })
        }
      }}
    />
  )
}

function Contents({ preview }: { preview: Preview }) {
  const { erasable_orders: ended, waiting_orders: waiting, notes, client_seed: hasSeed } = preview
  return (
    <ul aria-label="What will be erased">
      <li>Delivery details of finished orders: {ended.toLocaleString()}</li>
      <li>Delivery details of open orders, when they end: {waiting.toLocaleString()}</li>
      <li>Texts of operators’ notes: {notes.toLocaleString()}</li>
      {hasSeed && <li>The client seed that the player has asked for</li>}
      {preview.is_partial && <li>Only the newest 1,000 are counted. The older ones are erased too.</li>}
    </ul>
  )
}

function textOf({ erased_orders: erased, waiting_order_ids: waiting }: Schemas['Erasure']): string {
  const later =
    waiting.length === 0 ? '' : ` Open orders whose details go when they end: ${String(waiting.length)}.`
  return `Erased. Finished orders whose delivery details went now: ${String(erased)}.${later}`
}
