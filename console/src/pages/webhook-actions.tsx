import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { makeAct } from '../acts.ts'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import type { ReasonHeaders } from '../ui/reason-dialog.tsx'
import { wordsOf } from '../ui/values.tsx'

/** The ids that name an endpoint in the management API. */
export interface EndpointPath {
  casino_id: string
  endpoint_id: string
}

type EndpointAction = 'test' | 'enable' | 'disable'
const labels: Readonly<Record<EndpointAction, string>> = {
  test: 'Send a test event',
  enable: 'Enable',
  disable: 'Disable',
}
const texts: Readonly<Record<EndpointAction, string>> = {
  test: 'A test event is sent once, now. It is in no feed.',
  enable: 'Deliveries continue where they stopped, in order.',
  disable: 'Nothing more is sent. Events wait until it is enabled again.',
}

/** Tests the endpoint, switches it, and sends events again. */
export function EndpointActions({
  path,
  endpoint,
  onDone,
}: {
  path: EndpointPath
  endpoint: Schemas['WebhookEndpointDetails']
  onDone: () => void
}) {
  const { may } = useSession()
  const [chosen, setChosen] = useState<EndpointAction>()
  /** The revision when the dialog was opened: the page may have read a newer one since. */
  const [seen, setSeen] = useState(endpoint.revision)
  const [told, setTold] = useState<string>()
  if (!may('support')) return null
  const isOn = endpoint.state === 'enabled'
  const actions: EndpointAction[] = ['test', isOn ? 'disable' : 'enable']
  return (
    <>
      <div class="actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            onClick={() => {
              setSeen(endpoint.revision)
              setChosen(action)
            }}
          >
            {labels[action]}
          </button>
        ))}
        <SendAgain path={path} />
      </div>
      <p role="status">{told}</p>
      {chosen !== undefined && (
        <ReasonDialog
          title={labels[chosen]}
          button={labels[chosen]}
          text={texts[chosen]}
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (headers, { reason = '' }) => {
            setTold(await act(chosen, { path, revision: seen }, headers, reason))
            onDone()
          }}
        />
      )}
    </>
  )
}

/** Selects events of a time, and leads to the preview of sending them again: how many, which, with progress and stop. */
function SendAgain({ path }: { path: EndpointPath }) {
  const { route } = useLocation()
  const [isOpen, setOpen] = useState(false)
  /** Where an earlier selection was full. */
  const [rest, setRest] = useState<{ actId: string; range: FormValues; cursor: string }>()
  const preview = async (values: FormValues, headers: { 'Idempotency-Key': string }, cursor?: string) => {
    const { [names.onlyFailed]: onlyFailed, [names.from]: from = '', [names.until]: until = '' } = values
    const act = await makeAct(
      path.casino_id,
      {
        action: 'event.replay',
        params: { endpoint_id: path.endpoint_id },
        event_range: {
          only_failed: onlyFailed === 'true',
          ...(from === '' ? {} : { from }),
          ...(until === '' ? {} : { until }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      },
      headers,
    )
    const next = act.preview.next_cursor
    if (next === null) route(casinoPath(path.casino_id, `/acts/${act.act_id}`))
    else setRest({ actId: act.act_id, range: values, cursor: next })
  }
  const close = () => {
    setOpen(false)
    setRest(undefined)
  }
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setOpen(true)
        }}
      >
        Send events again
      </button>
      {isOpen && (
        <Dialog title="Send events again" onClose={close}>
          {rest === undefined ? (
            <>
              <p>Nothing is sent yet. The preview shows how many events there are, and which.</p>
              <Form key="first" button="Preview" onSubmit={preview}>
                {rangeFields}
              </Form>
            </>
          ) : (
            <>
              <p>
                There are more events than one action takes.{' '}
                <a href={casinoPath(path.casino_id, `/acts/${rest.actId}`)} target="_blank" rel="noreferrer">
                  Start the first part in a new tab
                </a>
                , then continue here.
              </p>
              <Form
                key={rest.cursor}
                button="Preview the next part"
                onSubmit={(_, headers) => preview(rest.range, headers, rest.cursor)}
              >
                {() => null}
              </Form>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

/** As in the request, so that problems are shown beside the fields. */
const names = {
  onlyFailed: 'event_range.only_failed',
  from: 'event_range.from',
  until: 'event_range.until',
} as const

const rangeFields = (problemOf: (name: string) => string | undefined) => (
  <>
    <Field
      name={names.onlyFailed}
      label="Which"
      problem={problemOf(names.onlyFailed)}
      isRequired
      value="true"
      choices={[
        { value: 'true', label: 'those that have failed permanently' },
        { value: 'false', label: 'all of the period' },
      ]}
    />
    <Field name={names.from} label="From" problem={problemOf(names.from)} hint={timeHint} />
    <Field name={names.until} label="Until" problem={problemOf(names.until)} hint={timeHint} />
  </>
)
const timeHint = 'A date or a time with its zone, such as 2030-01-31 or 2030-01-31T12:00:00Z.'

/** Carries the action out, and returns a message about it. */
async function act(
  action: EndpointAction,
  { path, revision }: { path: EndpointPath; revision: number },
  header: ReasonHeaders,
  reason: string,
): Promise<string> {
  const params = { path, header }
  const root = '/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}' as const
  switch (action) {
    case 'test': {
      const { delivered, status, problem } = (await answered(api.POST(`${root}/test`, { params }))).data
      return delivered
        ? `The receiver took it (${String(status)}).`
        : `The receiver did not take it: ${problem === null ? String(status) : wordsOf(problem)}.`
    }
    case 'enable':
    case 'disable':
      await answered(api.POST(`${root}/${action}`, { params, body: { reason, expected_revision: revision } }))
      return action === 'enable' ? 'It is enabled.' : 'It is disabled.'
    default:
      return action satisfies never
  }
}
