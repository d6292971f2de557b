import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Given } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { endingWith } from './key-line.ts'

type Key = Schemas['ApiKey']

/** Ends a key, after it has named those that end with it. */
export function RevokeKey({
  casinoId,
  target,
  onClose,
  onRevoked,
}: {
  casinoId: string
  target: Key
  onClose: () => void
  onRevoked: (also: readonly string[]) => void
}) {
  return (
    <ReasonDialog
      title="Revoke the key"
      button="Revoke"
      tone="danger"
      text="It stops working everywhere within two seconds, and cannot be restored."
      fields={() => <Consequence casinoId={casinoId} target={target} />}
      onClose={onClose}
      onSubmit={async (header) => {
        const params = { path: { casino_id: casinoId, key_id: target.key_id }, header }
        const revoked = await answered(api.DELETE('/admin/casinos/{casino_id}/api-keys/{key_id}', { params }))
        onRevoked(revoked.data.also_revoked)
      }}
    />
  )
}

function Consequence({ casinoId, target }: { casinoId: string; target: Key }) {
  const { value, error, reload } = useQuery(`all keys ${casinoId}`, (signal) => loadKeys(casinoId, signal))
  if (value === undefined) {
    return error === undefined ? (
      <Loading what="what ends with it" />
    ) : (
      <Failure error={error} retry={reload} />
    )
  }
  const ending = endingWith(value.keys, target.key_id, Date.now())
  return (
    <>
      {ending.length === 0 ? (
        <p>No other key ends with it.</p>
      ) : (
        <div class="failure">
          <p>
            {ending.length === 1 ? 'A key that it made or rotated ends' : 'Keys that it made or rotated end'}{' '}
            with it:
          </p>
          <ul>
            {ending.map(({ key_id: id, name }) => (
              <li key={id}>
                <code>{id}</code> {name !== null && <Given text={name} />}
              </li>
            ))}
          </ul>
        </div>
      )}
      {value.isPartial && <p>The casino has more keys than were looked at: others may end too.</p>}
    </>
  )
}

/** Keys that were revoked long ago stay in the list; these are enough for years of rotation. */
const pagesMax = 20

async function loadKeys(
  casinoId: string,
  signal: AbortSignal,
): Promise<{ keys: readonly Key[]; isPartial: boolean }> {
  const keys: Key[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
    const params = { path: { casino_id: casinoId }, query }
    const found = await answered(api.GET('/admin/casinos/{casino_id}/api-keys', { params, signal }))
    keys.push(...found.data)
    cursor = found.next_cursor
    if (cursor === undefined) return { keys, isPartial: false }
  }
  return { keys, isPartial: true }
}
