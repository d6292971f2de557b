import { useState } from 'preact/hooks'
import { ApiError, answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Form, Reason } from './form.tsx'
import type { FormValues } from './form.tsx'
import { Empty } from './states.tsx'
import { Time, wordsOf } from './values.tsx'

type Action = Schemas['OfferedAction']

/** What can be done with an object: the path of its requests, and how the object looked when the actions were shown. */
export interface Actionable {
  path: `/admin/casinos/${string}`
  revision: number
  actions: readonly Action[]
  next: Schemas['NextStep'] | null
}

/**
 * The actions that the state and the person's role allow. Each is shown with what follows from it before it is carried out,
 * and is refused when the object has changed since the page was loaded.
 */
export function Actions({ object, onDone }: { object: Actionable; onDone: () => void }) {
  const { may } = useSession()
  const [chosen, setChosen] = useState<Action>()
  const possible = object.actions.filter(
    ({ action, allowed, right }) => allowed && may(right) && action !== 'delivery',
  )
  const close = () => {
    setChosen(undefined)
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
                setChosen(action)
              }}
            >
              {nameOf(action)}
            </button>
          ))}
        </div>
      )}
      {chosen !== undefined && (
        <ActionDialog
          object={object}
          action={chosen}
          onClose={close}
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
  onClose,
  onDone,
}: {
  object: Actionable
  action: Action
  onClose: () => void
  onDone: () => void
}) {
  const [isOutdated, setOutdated] = useState(false)
  const submit = async (values: FormValues, headers: { 'Idempotency-Key': string }) => {
    const { reason = '', ...fields } = values
    const body = { reason, expected_revision: object.revision, ...typed(fields) }
    try {
      // The document has a path for each action; they differ in the fields only, which the service checks.
      const path = `${object.path}/${action.action}` as '/admin/casinos/{casino_id}/orders/{order_id}/confirm'
      const params = { path: { casino_id: '', order_id: '' }, header: headers }
      await answered(api.POST(path, { params, body }))
    } catch (error) {
      setOutdated(error instanceof ApiError && error.code === 'revision_changed')
      throw error
    }
    onDone()
  }
  return (
    <Dialog title={nameOf(action)} onClose={onClose}>
      <p>{action.consequence}</p>
      {action.cannot_undo && <p class="problem">This cannot be undone.</p>}
      <Form
        button={nameOf(action)}
        {...(action.cannot_undo ? { tone: 'danger' as const } : {})}
        onSubmit={submit}
        aside={
          <button type="button" onClick={isOutdated ? onDone : onClose}>
            {isOutdated ? 'Show how it is now' : 'Cancel'}
          </button>
        }
      >
        {(problemOf) => (
          <>
            {action.fields.map((name) => {
              const { label = wordsOf(name), choices, isRequired = false } = fieldsKnown[name] ?? {}
              return (
                <Field
                  key={name}
                  name={name}
                  label={label}
                  isRequired={isRequired}
                  problem={problemOf(name)}
                  {...(choices === undefined ? {} : { choices })}
                />
              )
            })}
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

interface KnownField {
  label?: string
  choices?: readonly { value: string; label: string }[]
  isRequired?: boolean
}

const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: wordsOf(value) }))
const yesOrNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

const holdReasons = [
  'incorrect_address',
  'fraud_risk',
  'kyc_pending',
  'player_restricted',
  'out_of_stock',
  'customs',
  'other',
] as const satisfies readonly Schemas['HoldOrderRequest']['hold_reason'][]
const exceptionReasons = [
  'provider_rejected',
  'address_invalid',
  'delivery_failed',
  'returned',
  'lost',
  'damaged',
] as const satisfies readonly Schemas['ReportOrderExceptionRequest']['exception_reason'][]

/** How the fields of actions are asked for; others are texts. */
const fieldsKnown: Readonly<Record<string, KnownField>> = {
  hold_reason: { label: 'What it is held for', choices: choicesOf(holdReasons) },
  exception_reason: { label: 'What went wrong', choices: choicesOf(exceptionReasons), isRequired: true },
  return_prize: { label: 'The prize', choices: yesOrNo('goes back to the player', 'becomes void') },
  final: { label: 'The provider', choices: yesOrNo('is not asked any more', 'still has a say') },
  outcome: {
    label: 'What the wallet did',
    choices: choicesOf(['credited', 'declined', 'reversed']),
    isRequired: true,
  },
  prize: {
    label: 'The prize',
    choices: [
      { value: 'return', label: 'goes back to the player' },
      { value: 'void', label: 'becomes void' },
    ],
    isRequired: true,
  },
  money_back: { label: 'The money', choices: yesOrNo('is back already', 'is still the player’s') },
}

/** Empty fields are left out, and yes and no are no texts. */
function typed(fields: FormValues): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value = '']) =>
      value === '' ? [] : [[name, value === 'true' ? true : value === 'false' ? false : value]],
    ),
  )
}
