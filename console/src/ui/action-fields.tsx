import type { Schemas } from '../api.ts'
import { Field } from './form.tsx'
import type { FormValues } from './form.tsx'
import { wordsOf } from './values.tsx'

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

/** The field of an action, asked for in the way that fits it. */
export function ActionField({ name, problem }: { name: string; problem: string | undefined }) {
  const { label = wordsOf(name), choices, isRequired = false } = fieldsKnown[name] ?? {}
  return (
    <Field
      name={name}
      label={label}
      isRequired={isRequired}
      problem={problem}
      {...(choices === undefined ? {} : { choices })}
    />
  )
}

/** Empty fields are left out, and yes and no are not texts. */
export function typed(fields: FormValues): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value = '']) =>
      value === '' ? [] : [[name, value === 'true' ? true : value === 'false' ? false : value]],
    ),
  )
}
