import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { whileItMoves } from '../polling.ts'
import { useSession } from '../session.tsx'
import { Actions } from '../ui/actions.tsx'
import { Field, Form } from '../ui/form.tsx'
import { CashbackLink, OrderLink, PlayerLink } from '../ui/links.tsx'
import { OpeningProof } from '../ui/opening-proof.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { StateDiagram } from '../ui/state-diagram.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Filters } from '../ui/table.tsx'
import { Timeline, entryKinds } from '../ui/timeline.tsx'
import { Given, Id, Money, State, Time } from '../ui/values.tsx'
import { useAfterChange } from '../use-after-change.ts'
import { useQuery } from '../use-query.ts'
import type { Query } from '../use-query.ts'

/** One prize: its data and state, its orders and cashbacks, and their timeline. */
export function PrizePage() {
  const { params } = useRoute()
  const { casinoId = '', prizeId = '' } = params
  const query = useQuery(
    `prize ${casinoId} ${prizeId}`,
    async (signal) => {
      const path = { casino_id: casinoId, prize_id: prizeId }
      const answer = await answered(
        api.GET('/admin/casinos/{casino_id}/prizes/{prize_id}', { params: { path }, signal }),
      )
      return answer.data
    },
    whileItMoves,
  )
  const timeline = useQuery(
    `timeline ${casinoId} ${prizeId}`,
    async (signal) => {
      const path = { casino_id: casinoId, prize_id: prizeId }
      const answer = await answered(
        api.GET('/admin/casinos/{casino_id}/prizes/{prize_id}/timeline', { params: { path }, signal }),
      )
      return answer.data
    },
    {
      ...whileItMoves,
      isAtRest: () => query.value !== undefined && whileItMoves.isAtRest(query.value),
    },
  )
  useAfterChange(query.value, timeline.reload)
  const playerId = query.value?.player_id
  return (
    <ObjectPage
      query={query}
      what="the prize"
      untitled={`Prize ${prizeId}`}
      titleOf={({ name }) => name}
      asideOf={({ state }) => <State state={state} />}
      trail={
        playerId === undefined
          ? []
          : [{ href: casinoPath(casinoId, `/players/${encodeURIComponent(playerId)}`), label: playerId }]
      }
    >
      {(prize) => <AboutPrize casinoId={casinoId} prize={prize} timeline={timeline} onDone={query.reload} />}
    </ObjectPage>
  )
}

function AboutPrize({
  casinoId,
  prize,
  timeline,
  onDone,
}: {
  casinoId: string
  prize: Schemas['PrizeDetails']
  timeline: Query<Schemas['PrizeTimeline']>
  onDone: () => void
}) {
  return (
    <>
      <Section title="Prize">
        <Facts
          facts={[
            ['Prize', <Id key="prize" id={prize.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={prize.player_id} />],
            ['Item', <Given key="item" text={prize.item_id} />],
            ['Kind', prize.kind],
            ['Cashback', <Money key="money" amount={prize.cashback} />],
            [
              'Opening',
              prize.opening_id === null ? 'given without one' : <Id key="opening" id={prize.opening_id} />,
            ],
            ['Won', <Time key="created" at={prize.created_at} />],
            ['Expires', <Time key="expires" at={prize.expires_at} />],
          ]}
        />
      </Section>
      {timeline.value !== undefined && (
        <Section title="Where it stands">
          <StateDiagram states={timeline.value.states} now={prize.state} />
        </Section>
      )}
      <Section title="Orders and cashbacks">
        {prize.orders.length + prize.cashbacks.length === 0 ? (
          <Empty>The player has neither ordered it nor taken its cashback.</Empty>
        ) : (
          <ul>
            {prize.orders.map((order) => (
              <li key={order.order_id}>
                Order <OrderLink casinoId={casinoId} orderId={order.order_id} /> <State state={order.state} />
              </li>
            ))}
            {prize.cashbacks.map((cashback) => (
              <li key={cashback.cashback_id}>
                Cashback <CashbackLink casinoId={casinoId} cashbackId={cashback.cashback_id} />{' '}
                <State state={cashback.state} />
              </li>
            ))}
          </ul>
        )}
        {(prize.has_more_orders || prize.has_more_cashbacks) && (
          <p class="soft">
            These are the newest 100 {prize.has_more_orders ? 'orders' : 'cashbacks'}
            {prize.has_more_orders && prize.has_more_cashbacks && ' and the newest 100 cashbacks'}. There are
            older ones.
          </p>
        )}
      </Section>
      <Section title="What can be done">
        <Actions
          object={{
            ...prize,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/prizes/${encodeURIComponent(prize.prize_id)}`,
          }}
          onDone={() => {
            onDone()
            timeline.reload()
          }}
        />
      </Section>
      <Section title="Timeline">
        <AddNote casinoId={casinoId} prizeId={prize.prize_id} onDone={timeline.reload} />
        {timeline.error !== undefined ? (
          <Failure error={timeline.error} retry={timeline.reload} />
        ) : timeline.value === undefined ? (
          <Loading what="the timeline" />
        ) : (
          <Story casinoId={casinoId} timeline={timeline.value} />
        )}
      </Section>
      {prize.opening_id !== null && (
        <Section title="Proof of the opening">
          <Proof casinoId={casinoId} openingId={prize.opening_id} />
        </Section>
      )}
    </>
  )
}

/** The timeline, whole or of one kind. */
function Story({ casinoId, timeline }: { casinoId: string; timeline: Schemas['PrizeTimeline'] }) {
  const { query } = useLocation()
  const kind = query['kind'] ?? ''
  const entries = timeline.entries.filter((entry) => kind === '' || entry.kind === kind)
  return (
    <>
      <Filters filters={[{ name: 'kind', label: 'Show', choices: entryKinds }]} />
      <Timeline casinoId={casinoId} entries={entries} traceUrl={timeline.trace_url} />
      {timeline.is_partial && <p class="soft">These are the newest 500 entries. There are older ones.</p>}
    </>
  )
}

/** For facts that no other person would know; those who may only look do not see it. */
function AddNote({ casinoId, prizeId, onDone }: { casinoId: string; prizeId: string; onDone: () => void }) {
  const { may } = useSession()
  // A new form after each note, so that it is empty again.
  const [count, setCount] = useState(0)
  if (!may('support')) return null
  return (
    <Form
      key={count}
      button="Add note"
      onSubmit={async ({ text = '' }, header) => {
        const params = { path: { casino_id: casinoId, prize_id: prizeId }, header }
        await answered(
          api.POST('/admin/casinos/{casino_id}/prizes/{prize_id}/notes', { params, body: { text } }),
        )
        setCount(count + 1)
        onDone()
      }}
    >
      {(problemOf) => (
        <Field
          name="text"
          label="Note"
          hint="Your colleagues see it here under your name. It is encrypted, and erased with the player."
          problem={problemOf('text')}
          isRequired
          rows={2}
          maxLength={5000}
        />
      )}
    </Form>
  )
}

/** That the prize was won as promised, as this browser finds it. */
function Proof({ casinoId, openingId }: { casinoId: string; openingId: string }) {
  const { value, error, reload } = useQuery(`opening ${casinoId} ${openingId}`, async (signal) => {
    const path = { casino_id: casinoId, opening_id: openingId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/openings/{opening_id}', { params: { path }, signal }),
    )
    return answer.data.evidence
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the opening" /> : <Failure error={error} retry={reload} />
  return <OpeningProof opening={value} />
}
