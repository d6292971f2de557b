import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { ApiError, answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { makeAct, moveAct } from '../acts.ts'
import { casinoPath } from '../place.ts'
import { ActionField, typed } from './action-fields.tsx'
import { Dialog } from './dialog.tsx'
import { Form, LookAgain, Reason } from './form.tsx'
import type { FormValues } from './form.tsx'
import { Empty } from './states.tsx'
import { Time, wordsOf } from './values.tsx'

type Action = Schemas['OfferedAction']

/** The object of actions: the path of its requests, and how it looked when the actions were shown. */
export interface Actionable {
  path: `/admin/casinos/${string}`
  revision: number
  actions: readonly Action[]
  next: Schemas['NextStep'] | null
}

/**
 * The actions that the state and the person's role allow. Each is shown with its consequences before it is carried out,
 * and is refused when the object has changed since the page was loaded.
 */
export function Actions({ object, onDone }: { object: Actionable; onDone: () => void }) {
  const { may } = useSession()
  // As it was when the person chose the action: the page may have loaded it again since.
  const [chosen, setChosen] = useState<{ object: Actionable; action: Action }>()
  const [kept, setKept] = useState<{ action: string; values: FormValues }>()
  const possible = object.actions.filter(
    ({ action, allowed, right }) => allowed && may(right) && action !== 'delivery',
  )
  const close = () => {
    setChosen(undefined)
    setKept(undefined)
  }
  return (
    <>
      <Next next={object.next} />
      {possible.length === 0 ? (
        <Empty>There is nothing that you can do with it now.</Empty>
      ) : (
        <div class="actions">
          {possible.map((action) => (
            <button
              key={action.action}
              type="button"
              class={action.cannot_undo ? 'danger' : ''}
              onClick={() => {
                setChosen({ object, action })
              }}
            >
              {nameOf(action)}
            </button>
          ))}
        </div>
      )}
      {chosen !== undefined && (
        <ActionDialog
          {...chosen}
          kept={kept?.action === chosen.action.action ? kept.values : undefined}
          onClose={close}
          onOutdated={(values) => {
            setChosen(undefined)
            setKept({ action: chosen.action.action, values })
            onDone()
          }}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </>
  )
}

function nameOf({ action }: Action): string {
  const words = action.replaceAll('-', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

function Next({ next }: { next: Schemas['NextStep'] | null }) {
  if (next === null) return <p>Nothing more happens by itself.</p>
  if (next.what === 'person') return <p>It waits for a person.</p>
  return (
    <p>
      Next: {wordsOf(next.what)}
      {next.at === null ? ', as soon as possible' : <> on {<Time at={next.at} />}</>}.
    </p>
  )
}

function ActionDialog({
  object,
  action,
  kept,
  onClose,
  onOutdated,
  onDone,
}: {
  object: Actionable
  action: Action
  /** The values typed before another person changed the object. */
  kept: FormValues | undefined
  onClose: () => void
  onOutdated: (typed: FormValues) => void
  onDone: () => void
}) {
  const [isOutdated, setOutdated] = useState(false)
  const [isProposal, setProposal] = useState(false)
  const { route } = useLocation()
  const submit = async (values: FormValues, headers: { 'Idempotency-Key': string }) => {
    const { reason = '', ...fields } = values
    const body = { reason, expected_revision: object.revision, ...typed(fields) }
    try {
      if (isProposal) {
        route(await propose(object, action, { params: typed(fields), reason, headers }))
        return
      }
      // The document has a path for each action; they differ in the fields only, which the service checks.
      const path = `${object.path}/${action.action}` as '/admin/casinos/{casino_id}/orders/{order_id}/confirm'
      const params = { path: { casino_id: '', order_id: '' }, header: headers }
      await answered(api.POST(path, { params, body }))
    } catch (error) {
      setOutdated(error instanceof ApiError && error.code === 'revision_changed')
      setProposal(isProposal || (error instanceof ApiError && error.code === 'approval_required'))
      throw error
    }
    onDone()
  }
  return (
    <Dialog title={nameOf(action)} onClose={onClose}>
      <p>{action.consequence}</p>
      {action.cannot_undo && <p class="problem">This cannot be undone.</p>}
      {isProposal && (
        <p>The amount needs another person. Send it as a proposal, which somebody else approves.</p>
      )}
      <Form
        button={isProposal ? 'Propose' : nameOf(action)}
        {...(action.cannot_undo ? { tone: 'danger' as const } : {})}
        onSubmit={submit}
        kept={kept}
        aside={
          isOutdated ? (
            <LookAgain onClick={onOutdated} />
          ) : (
            <button type="button" onClick={onClose}>
              {/* Not "Cancel", which is an action on orders. */}
              Go back
            </button>
          )
        }
      >
        {(problemOf) => (
          <>
            {action.fields.map((name) => (
              <ActionField key={name} name={name} problem={problemOf(name)} />
            ))}
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** The objects that acts can be about, by their place in paths. */
const nouns: Readonly<Record<string, string>> = { orders: 'order', cashbacks: 'cashback', prizes: 'prize' }

/** Makes an act of the one object and starts it, so that it waits for another person; the page of the act. */
async function propose(
  object: Actionable,
  action: Action,
  given: {
    params: Record<string, string | boolean>
    reason: string
    headers: { 'Idempotency-Key': string }
  },
): Promise<string> {
  const [casinoId = '', list = '', objectId = ''] = object.path
    .replace('/admin/casinos/', '')
    .split('/')
    .map(decodeURIComponent)
  const body = {
    action: `${nouns[list] ?? list}.${action.action}`,
    params: given.params,
    object_ids: [objectId],
    expected_revisions: [object.revision],
  }
  const act = await makeAct(casinoId, body, given.headers)
  const path = { casino_id: casinoId, act_id: act.act_id }
  if (act.progress.refused > 0) {
    const { data } = await answered(
      api.GET('/admin/casinos/{casino_id}/acts/{act_id}/objects', { params: { path } }),
    )
    const { code = null, message = null } = data[0] ?? {}
    throw new ApiError(`Nothing was proposed. ${message ?? ''}`, { code: code ?? 'unknown', status: 409 })
  }
  const startKey = `${given.headers['Idempotency-Key']}-start`
  await moveAct(casinoId, act.act_id, 'start', given.reason, { 'Idempotency-Key': startKey })
  return casinoPath(casinoId, `/acts/${act.act_id}`)
}
