import { useState } from 'preact/hooks'
import { ApiError, answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, LookAgain, Reason } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Given } from '../ui/values.tsx'

type Details = Schemas['DeliveryDetails']
type DetailName = keyof Details

interface Detail {
  name: DetailName
  label: string
  isRequired: boolean
  maxLength: number
  /** Of those that may have line breaks. */
  rows?: number
}

const details: readonly Detail[] = [
  { name: 'recipient_name', label: 'Name', isRequired: true, maxLength: 200 },
  { name: 'street', label: 'Street', isRequired: true, maxLength: 300, rows: 2 },
  { name: 'postal_code', label: 'Postal code', isRequired: true, maxLength: 32 },
  { name: 'city', label: 'City', isRequired: true, maxLength: 120 },
  { name: 'state', label: 'State', isRequired: false, maxLength: 120 },
  { name: 'country', label: 'Country', isRequired: true, maxLength: 100 },
  { name: 'phone_number', label: 'Telephone', isRequired: false, maxLength: 50 },
  { name: 'email', label: 'E-mail', isRequired: false, maxLength: 254 },
  { name: 'additional_notes', label: 'Notes', isRequired: false, maxLength: 2_000, rows: 3 },
]

interface DeliveryProps {
  casinoId: string
  order: Schemas['OrderDetails']
  onDone: () => void
}

/** Where the parcel goes: hidden until the operator says why it is needed, and again when the page is left. */
export function Delivery({ casinoId, order, onDone }: DeliveryProps) {
  const { may } = useSession()
  const [isRevealing, setRevealing] = useState(false)
  // As it was when the person began: the page may have loaded the order again since.
  const [corrected, setCorrected] = useState<{ order: Schemas['OrderDetails']; consequence: string }>()
  const [revealed, setRevealed] = useState<Details | null>()
  const [kept, setKept] = useState<FormValues>()
  const shown = revealed === undefined ? order.delivery : revealed
  const isErased = shown === null && (!order.delivery_hidden || revealed === null)
  const correction = order.actions.find(({ action }) => action === 'delivery')
  const close = () => {
    setRevealing(false)
    setCorrected(undefined)
    setKept(undefined)
  }
  const lookAgain = () => {
    setCorrected(undefined)
    setRevealed(undefined)
    onDone()
  }
  return (
    <Section title="Delivery details">
      {shown !== null && (
        <Facts
          facts={details.flatMap(({ name, label }) => {
            const text = shown[name]
            return text === undefined ? [] : [[label, <Given key={name} text={text} />] as const]
          })}
        />
      )}
      {isErased && <p class="soft">They have been erased.</p>}
      {may('support') ? (
        <div class="actions">
          {shown === null && !isErased && (
            <button
              type="button"
              onClick={() => {
                setRevealing(true)
              }}
            >
              Reveal
            </button>
          )}
          {correction?.allowed === true && (
            <button
              type="button"
              onClick={() => {
                setCorrected({ order, consequence: correction.consequence })
              }}
            >
              Correct
            </button>
          )}
        </div>
      ) : (
        shown === null && !isErased && <p class="soft">Your role does not allow you to see them.</p>
      )}
      {isRevealing && (
        <RevealDialog casinoId={casinoId} order={order} onClose={close} onRevealed={setRevealed} />
      )}
      {corrected !== undefined && (
        <CorrectDialog
          casinoId={casinoId}
          {...corrected}
          known={shown}
          kept={kept}
          onClose={close}
          onOutdated={(values) => {
            setKept(values)
            lookAgain()
          }}
          onDone={() => {
            close()
            lookAgain()
          }}
        />
      )}
    </Section>
  )
}

function RevealDialog({
  casinoId,
  order,
  onClose,
  onRevealed,
}: Omit<DeliveryProps, 'onDone'> & { onClose: () => void; onRevealed: (found: Details | null) => void }) {
  return (
    <Dialog title="Reveal delivery details" onClose={onClose}>
      <p>The audit trail will have your name and the reason.</p>
      <Form
        button="Reveal"
        onSubmit={async ({ reason = '' }) => {
          const params = { path: { casino_id: casinoId, order_id: order.order_id } }
          const root = '/admin/casinos/{casino_id}/orders/{order_id}/reveal' as const
          onRevealed((await answered(api.POST(root, { params, body: { reason } }))).data.delivery)
          onClose()
        }}
        aside={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {(problemOf) => <Reason problem={problemOf('reason')} />}
      </Form>
    </Dialog>
  )
}

/**
 * All details are replaced, so all are asked for; those that were revealed are filled in, or the values typed before
 * another person changed the order.
 */
function CorrectDialog({
  casinoId,
  order,
  consequence,
  known,
  kept,
  onClose,
  onOutdated,
  onDone,
}: DeliveryProps & {
  consequence: string
  known: Details | null
  kept: FormValues | undefined
  onClose: () => void
  onOutdated: (values: FormValues) => void
}) {
  const [isOutdated, setOutdated] = useState(false)
  const submit = async (values: FormValues) => {
    const given = Object.entries(values).filter(([, value = '']) => value.trim() !== '')
    // The service checks which details are missing, and names them.
    const body = { ...Object.fromEntries(given), expected_revision: order.revision } as unknown as Details & {
      reason: string
    }
    const params = { path: { casino_id: casinoId, order_id: order.order_id } }
    try {
      await answered(api.PUT('/admin/casinos/{casino_id}/orders/{order_id}/delivery', { params, body }))
    } catch (error) {
      setOutdated(error instanceof ApiError && error.code === 'revision_changed')
      throw error
    }
    onDone()
  }
  return (
    <Dialog title="Correct the delivery details" onClose={onClose}>
      <p>{consequence}</p>
      {known === null && kept === undefined && (
        <p>Reveal the details first, if you want to change only some of them.</p>
      )}
      <Form
        button="Correct"
        onSubmit={submit}
        kept={kept}
        aside={
          isOutdated ? (
            <LookAgain onClick={onOutdated} />
          ) : (
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          )
        }
      >
        {(problemOf) => (
          <>
            {details.map(({ name, ...field }) => (
              <Field key={name} name={name} {...field} value={known?.[name]} problem={problemOf(name)} />
            ))}
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
