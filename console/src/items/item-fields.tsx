import type { Schemas } from '../api.ts'
import { decimalOf } from '../money.ts'
import { readTyped } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'

export const itemKinds = ['physical', 'cash', 'bonus', 'none'] as const

const kindChoices = [
  { value: 'physical', label: 'physical: is sent' },
  { value: 'cash', label: 'cash' },
  { value: 'bonus', label: 'bonus: is given by the casino, such as free spins' },
  { value: 'none', label: 'none: the player wins nothing' },
] as const satisfies readonly { value: (typeof itemKinds)[number]; label: string }[]

/** The fields of an item, but for its id. */
export function ItemFields({
  item,
  problemOf,
}: {
  item?: Schemas['Item'] | undefined
  problemOf: (name: string) => string | undefined
}) {
  const cashback = item?.cashback ?? undefined
  return (
    <>
      <Field name="name" label="Name" value={item?.name} problem={problemOf('name')} isRequired />
      <Field
        name="kind"
        label="Kind"
        value={item?.kind ?? 'physical'}
        problem={problemOf('kind')}
        choices={kindChoices}
        isRequired
      />
      <Field
        name="description"
        label="Description"
        hint="A description for players."
        value={item?.description ?? ''}
        problem={problemOf('description')}
        rows={3}
      />
      <Field
        name="image_url"
        label="Image URL"
        value={item?.image_url ?? ''}
        problem={problemOf('image_url')}
      />
      <div class="pair">
        <Field
          name="cashback.amount_minor"
          label="Cashback"
          hint="Empty if it cannot be cashed back."
          value={cashback === undefined ? '' : decimalOf(cashback.amount_minor, cashback.currency)}
          problem={problemOf('cashback.amount_minor') ?? problemOf('cashback')}
        />
        <Field
          name="cashback.currency"
          label="Currency"
          hint="Such as EUR."
          value={cashback?.currency}
          problem={problemOf('cashback.currency')}
        />
      </div>
      <Field
        name="claim_days"
        label="Days to claim"
        hint="How many days a player has to claim the prize. Empty for no deadline."
        value={String(item?.claim_days ?? '')}
        problem={problemOf('claim_days')}
      />
    </>
  )
}

/** The typed values, as the management API takes them. Throws an `ApiError` with the fields that are wrong. */
export function itemOf(values: FormValues): Schemas['PutItemRequest'] {
  const typed = readTyped(values)
  const item = {
    name: values['name'] ?? '',
    kind: itemKinds.find((kind) => kind === values['kind']) ?? 'physical',
    description: values['description'] ?? '',
    image_url: typed.textIn('image_url'),
    cashback: typed.moneyIn('cashback.amount_minor', 'cashback.currency') ?? null,
    claim_days: typed.numberIn('claim_days') ?? null,
  }
  if (item.cashback === null && typed.textIn('cashback.currency') !== '')
    typed.refuse('cashback.amount_minor', 'Write an amount, or leave the currency empty too.')
  typed.check()
  return item
}
