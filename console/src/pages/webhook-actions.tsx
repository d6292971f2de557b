import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { Field } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import type { ReasonHeaders } from '../ui/reason-dialog.tsx'
import { wordsOf } from '../ui/values.tsx'

/** The ids that name an endpoint in the management API. */
export interface EndpointPath {
  casino_id: string
  endpoint_id: string
}

type EndpointAction = 'test' | 'enable' | 'disable' | 'replay'
const labels: Readonly<Record<EndpointAction, string>> = {
  test: 'Send a test event',
  enable: 'Enable',
  disable: 'Disable',
  replay: 'Send events again',
}
const texts: Readonly<Record<EndpointAction, string>> = {
  test: 'A test event is sent once, now. It is in no feed.',
  enable: 'Deliveries continue where they stopped, in order.',
  disable: 'Nothing more is sent. Events wait until it is enabled again.',
  replay: 'Events are sent again under their ids. Receivers that know them ignore them.',
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
  const [told, setTold] = useState<string>()
  if (!may('support')) return null
  const isOn = endpoint.state === 'enabled'
  const actions: EndpointAction[] = ['test', isOn ? 'disable' : 'enable', 'replay']
  return (
    <>
      <div class="actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            onClick={() => {
              setChosen(action)
            }}
          >
            {labels[action]}
          </button>
        ))}
      </div>
      <p role="status">{told}</p>
      {chosen !== undefined && (
        <ReasonDialog
          title={labels[chosen]}
          button={labels[chosen]}
          text={texts[chosen]}
          {...(chosen === 'replay' ? { fields: replayFields } : {})}
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (headers, values) => {
            setTold(await act(chosen, path, headers, values))
            onDone()
          }}
        />
      )}
    </>
  )
}

const replayFields = (problemOf: (name: string) => string | undefined) => (
  <>
    <Field
      name="only_failed"
      label="Which"
      problem={problemOf('only_failed')}
      isRequired
      value="true"
      choices={[
        { value: 'true', label: 'those that have failed permanently' },
        { value: 'false', label: 'all of the period' },
      ]}
    />
    <Field name="from" label="From" problem={problemOf('from')} hint={timeHint} />
    <Field name="until" label="Until" problem={problemOf('until')} hint={timeHint} />
  </>
)
const timeHint = 'A date or a time with its zone, such as 2030-01-31 or 2030-01-31T12:00:00Z.'

/** Carries the action out, and returns a message about it. */
async function act(
  action: EndpointAction,
  path: EndpointPath,
  header: ReasonHeaders,
  { reason = '', only_failed: onlyFailed, from = '', until = '' }: FormValues,
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
      await answered(api.POST(`${root}/${action}`, { params, body: { reason } }))
      return action === 'enable' ? 'It is enabled.' : 'It is disabled.'
    case 'replay':
      return replay(path, header, {
        only_failed: onlyFailed === 'true',
        ...(from === '' ? {} : { from }),
        ...(until === '' ? {} : { until }),
      })
    default:
      return action satisfies never
  }
}

/** Sends the events of a range again, one request after the other until there are no more. */
async function replay(
  path: EndpointPath,
  header: ReasonHeaders,
  range: { only_failed: boolean; from?: string; until?: string },
): Promise<string> {
  let count = 0
  let cursor: string | undefined
  let part = 0
  do {
    const key = `${header['Idempotency-Key']}-${part++}`
    const page: { data: { replayed_count: number }; next_cursor?: string } = await answered(
      api.POST('/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/replay', {
        params: { path, header: { ...header, 'Idempotency-Key': key } },
        body: { ...range, ...(cursor === undefined ? {} : { cursor }) },
      }),
    )
    count += page.data.replayed_count
    cursor = page.next_cursor
  } while (cursor !== undefined && part < partsMax)
  return `${count} sent again${cursor === undefined ? '.' : '; there are more.'}`
}

/** A range that is longer is sent again in parts, by dates. */
const partsMax = 100
