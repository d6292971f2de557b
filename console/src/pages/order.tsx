import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Reason } from '../ui/form.tsx'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { PlayerLink, PrizeLink } from '../ui/links.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Given, Id, State, Time, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** One order: what it is, and where its parcel goes. */
export function OrderPage() {
  const { params } = useRoute()
  const { casinoId = '', orderId = '' } = params
  const { value, error, reload } = useQuery(`order ${casinoId} ${orderId}`, async (signal) => {
    const path = { casino_id: casinoId, order_id: orderId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/orders/{order_id}', { params: { path }, signal }),
    )
    return answer.data
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the order" /> : <Failure error={error} retry={reload} />
  return (
    <Page
      title={value.item_name}
      trail={[{ href: casinoPath(casinoId, '/orders'), label: 'Orders' }]}
      aside={<State state={value.state} />}
    >
      <Section title="Order">
        <Facts
          facts={[
            ['Order', <Id key="order" id={value.order_id} />],
            ['Prize', <PrizeLink key="prize" casinoId={casinoId} prizeId={value.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={value.player_id} />],
            ['Held', value.holds.length === 0 ? 'no' : value.holds.map(wordsOf).join(', ')],
            ['Problem', value.problem === null ? 'none' : wordsOf(value.problem)],
            ['Carrier', value.carrier === null ? '–' : <Given text={value.carrier} />],
            [
              'Tracking number',
              value.tracking_number === null ? '–' : <Given text={value.tracking_number} />,
            ],
            ['Ordered', <Time key="created" at={value.created_at} />],
            ['Last change', <Time key="updated" at={value.updated_at} />],
          ]}
        />
      </Section>
      <Delivery casinoId={casinoId} order={value} />
      <Section title="What can be done">
        <Actions
          object={{
            ...value,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/orders/${encodeURIComponent(value.order_id)}`,
          }}
          onDone={reload}
        />
      </Section>
      <Section title="History">
        <History entries={value.history} />
      </Section>
    </Page>
  )
}

const deliveryLabels: Readonly<Record<keyof Schemas['DeliveryDetails'], string>> = {
  recipient_name: 'Name',
  street: 'Street',
  postal_code: 'Postal code',
  city: 'City',
  state: 'State',
  country: 'Country',
  phone_number: 'Telephone',
  email: 'E-mail',
  additional_notes: 'Notes',
}

/** Where the parcel goes: hidden until somebody says why it is needed, and again when the page is left. */
function Delivery({ casinoId, order }: { casinoId: string; order: Schemas['OrderDetails'] }) {
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [revealed, setRevealed] = useState<Schemas['DeliveryDetails'] | null>()
  const shown = revealed === undefined ? order.delivery : revealed
  const close = () => {
    setAsking(false)
  }
  return (
    <Section title="Delivery details">
      {shown !== null ? (
        <Facts
          facts={Object.entries(deliveryLabels).flatMap(([name, label]) => {
            const text = shown[name as keyof typeof deliveryLabels]
            return text === undefined ? [] : [[label, <Given key={name} text={text} />] as const]
          })}
        />
      ) : !order.delivery_hidden || revealed === null ? (
        <p class="soft">They have been erased.</p>
      ) : may('support') ? (
        <button
          type="button"
          onClick={() => {
            setAsking(true)
          }}
        >
          Reveal
        </button>
      ) : (
        <p class="soft">Your role does not allow you to see them.</p>
      )}
      {isAsking && (
        <Dialog title="Reveal delivery details" onClose={close}>
          <p>The audit trail will have your name and the reason.</p>
          <Form
            button="Reveal"
            onSubmit={async ({ reason = '' }) => {
              const path = { casino_id: casinoId, order_id: order.order_id }
              const answer = await answered(
                api.POST('/admin/casinos/{casino_id}/orders/{order_id}/reveal', {
                  params: { path },
                  body: { reason },
                }),
              )
              setRevealed(answer.data.delivery)
              close()
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
    </Section>
  )
}
