import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { moveAct } from '../acts.ts'
import type { ActMove } from '../acts.ts'
import { rightFor, titleOf } from '../bulk-actions.ts'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Reason } from '../ui/form.tsx'
import { CashbackLink, OrderLink, PrizeLink } from '../ui/links.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Id, Money, State, Time } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Act = Schemas['Act']

const runningPollMs = 1_000
const waitingPollMs = 10_000

/** An act: its effect on its objects, its approval, its progress, and the result for each object. */
export function ActPage() {
  const { params } = useRoute()
  const casinoId = params['casinoId'] ?? ''
  const actId = params['actId'] ?? ''
  const [isRunning, setRunning] = useState(true)
  const query = useQuery(
    `act ${casinoId} ${actId}`,
    async (signal) => {
      const path = { casino_id: casinoId, act_id: actId }
      const act = (
        await answered(api.GET('/admin/casinos/{casino_id}/acts/{act_id}', { params: { path }, signal }))
      ).data
      setRunning(act.state === 'running' || act.state === 'stopping')
      return act
    },
    { pollMs: isRunning ? runningPollMs : waitingPollMs },
  )
  return (
    <ObjectPage
      query={query}
      what="the act"
      untitled={`Act ${actId}`}
      titleOf={titleOf}
      asideOf={({ state }) => <State state={state} />}
      trail={[{ href: casinoPath(casinoId, '/acts'), label: 'Bulk actions' }]}
    >
      {(act) => (
        <>
          <Section title="What it does">
            <p>{act.consequence}</p>
            {act.cannot_undo && <p class="problem">This cannot be undone.</p>}
            <Progress act={act} />
            <Moves casinoId={casinoId} act={act} onDone={query.reload} />
          </Section>
          <Section title="About it">
            <AboutAct act={act} />
          </Section>
          <Section title="Objects">
            <Objects casinoId={casinoId} act={act} />
          </Section>
        </>
      )}
    </ObjectPage>
  )
}

function Progress({ act }: { act: Act }) {
  const { objects, waiting, done, refused, skipped } = act.progress
  const settled = objects - waiting
  return (
    <>
      {(act.state === 'running' || act.state === 'stopping') && (
        <progress max={objects} value={settled} aria-label="Progress">
          {settled} of {objects}
        </progress>
      )}
      <p role="status">
        {objects} selected: {waiting} waiting, {done} done, {refused} refused, {skipped} left alone.
      </p>
    </>
  )
}

function AboutAct({ act }: { act: Act }) {
  const person = (name: string | null, at: string | null, why: string | null) =>
    name === null ? null : (
      <>
        <Given text={name} />, <Time at={at} />
        {why !== null && (
          <>
            : <Given text={why} />
          </>
        )}
      </>
    )
  const facts = [
    ['Act', <Id key="id" id={act.act_id} />],
    ['Made by', person(act.made_by, act.created_at, act.reason)],
    [
      'Money',
      act.amounts.length === 0
        ? null
        : act.amounts.map((amount) => <Money key={amount.currency} amount={amount} />),
    ],
    ['Second person', act.needs_approval ? 'needed' : null],
    [
      act.state === 'declined' ? 'Declined by' : 'Approved by',
      person(act.decided_by, act.decided_at, act.decision_reason),
    ],
    ['Stopped by', person(act.stopped_by, act.stopped_at, act.stop_reason)],
    ['Can be started until', act.state === 'previewed' ? <Time key="until" at={act.expires_at} /> : null],
    [
      'Can be approved until',
      act.state === 'pending_approval' ? <Time key="until" at={act.expires_at} /> : null,
    ],
    ['Ended', act.ended_at === null ? null : <Time key="ended" at={act.ended_at} />],
  ] as const
  return <Facts facts={facts.filter(([, value]) => value !== null)} />
}

const labels: Readonly<Record<ActMove, string>> = {
  start: 'Start',
  approve: 'Approve',
  decline: 'Decline',
  stop: 'Stop',
}

/** The moves that the person can make with the act: the maker starts it, another person decides, either stops it. */
function Moves({ casinoId, act, onDone }: { casinoId: string; act: Act; onDone: () => void }) {
  const { me, may } = useSession()
  const [chosen, setChosen] = useState<ActMove>()
  const isOwn = act.made_by === `operator:${me.operator.username}`
  const isWaiting = act.state === 'pending_approval'
  const possible: ActMove[] = !may(rightFor(act.action))
    ? []
    : [
        ...(act.state === 'previewed' && isOwn ? (['start'] as const) : []),
        ...(isWaiting && !isOwn ? (['approve', 'decline'] as const) : []),
        ...(isWaiting || act.state === 'previewed' || act.state === 'running' ? (['stop'] as const) : []),
      ]
  const close = () => {
    setChosen(undefined)
  }
  return (
    <>
      {act.state === 'previewed' && act.needs_approval && (
        <p>
          The amount is above the casino’s limit: once started, it waits for another person to approve it.
        </p>
      )}
      {isWaiting && isOwn && <p>It waits for another person to approve it.</p>}
      <div class="actions">
        {possible.map((move) => (
          <button
            key={move}
            type="button"
            class={move === 'start' || move === 'approve' ? 'primary' : ''}
            onClick={() => {
              setChosen(move)
            }}
          >
            {labels[move]}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <Dialog title={labels[chosen]} onClose={close}>
          <p>{act.consequence}</p>
          <Form
            button={labels[chosen]}
            onSubmit={async ({ reason = '' }, headers) => {
              await moveAct(casinoId, act.act_id, chosen, reason, headers)
              close()
              onDone()
            }}
            aside={
              <button type="button" onClick={close}>
                Cancel
              </button>
            }
          >
            {(problemOf) => <Reason problem={problemOf('reason')} />}
          </Form>
        </Dialog>
      )}
    </>
  )
}

const results = [
  'waiting',
  'done',
  'refused',
  'skipped',
] as const satisfies readonly Schemas['ActObject']['state'][]

function Objects({ casinoId, act }: { casinoId: string; act: Act }) {
  const { query } = useLocation()
  const state = results.find((candidate) => candidate === query['state'])
  const columns: Column<Schemas['ActObject']>[] = [
    {
      name: 'Object',
      render: ({ object_id: id }) => <ObjectLink casinoId={casinoId} action={act.action} objectId={id} />,
    },
    { name: 'Result', render: (object) => <State state={object.state} /> },
    { name: 'Why', render: ({ message, code }) => (code === null ? '' : <Given text={message ?? code} />) },
    { name: 'When', render: (object) => <Time at={object.settled_at} /> },
  ]
  return (
    <>
      <Filters filters={[{ name: 'state', label: 'Result', choices: results }]} />
      <List
        caption="Objects"
        columns={columns}
        keyOf={(object) => object.object_id}
        listKey={`objects ${casinoId} ${act.act_id} ${state ?? ''}`}
        freshKey={`${act.state} ${String(act.progress.waiting)}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/acts/{act_id}/objects', {
              params: {
                path: { casino_id: casinoId, act_id: act.act_id },
                query: {
                  ...(cursor === undefined ? {} : { cursor }),
                  ...(state === undefined ? {} : { state }),
                },
              },
              signal,
            }),
          )
        }
        empty="No objects fit."
      />
    </>
  )
}

function ObjectLink({ casinoId, action, objectId }: { casinoId: string; action: string; objectId: string }) {
  if (action.startsWith('order.')) return <OrderLink casinoId={casinoId} orderId={objectId} />
  if (action.startsWith('cashback.')) return <CashbackLink casinoId={casinoId} cashbackId={objectId} />
  if (action.startsWith('prize.')) return <PrizeLink casinoId={casinoId} prizeId={objectId} />
  return <Given text={objectId} />
}
