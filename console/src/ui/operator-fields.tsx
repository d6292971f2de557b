import type { Schemas } from '../api.ts'
import { Field } from './form.tsx'
import type { FormValues } from './form.tsx'

type Definition = Pick<Schemas['Operator'], 'name' | 'casino_ids' | 'second_factor_required'> & {
  role: Schemas['CreateOperatorRequest']['role']
}

const roles = [
  { value: 'viewer', label: 'viewer: looks only' },
  { value: 'support', label: 'support: orders, retries, notes, addresses' },
  { value: 'finance', label: 'finance: decisions about money and prizes' },
  { value: 'admin', label: 'admin: all of these, and operators, casinos, keys, boxes' },
] as const satisfies readonly { value: Definition['role']; label: string }[]

/** The rights of an operator, as an admin sets them. */
export function OperatorFields({
  operator,
  problemOf,
}: {
  operator?: Schemas['Operator']
  problemOf: (name: string) => string | undefined
}) {
  return (
    <>
      <Field name="name" label="Name" value={operator?.name} problem={problemOf('name')} isRequired />
      <Field
        name="role"
        label="Role"
        value={operator?.role ?? 'viewer'}
        problem={problemOf('role')}
        choices={roles}
        isRequired
      />
      <Field
        name="casino_ids"
        label="Casinos"
        hint="Ids, separated by spaces. Empty for all casinos."
        value={operator?.casino_ids?.join(' ')}
        problem={problemOf('casino_ids')}
      />
      <Field
        name="second_factor_required"
        label="Second factor"
        value={String(operator?.second_factor_required ?? true)}
        problem={problemOf('second_factor_required')}
        choices={[
          { value: 'true', label: 'required' },
          { value: 'false', label: 'optional' },
        ]}
        isRequired
      />
    </>
  )
}

/** The typed values, as the management API takes them. */
export function definitionOf(values: FormValues): Definition {
  const { name = '', role = '', casino_ids: casinos = '', second_factor_required: isRequired } = values
  const ids = casinos.split(/\s+/).filter((id) => id !== '')
  return {
    name,
    role: roles.find(({ value }) => value === role)?.value ?? 'viewer',
    casino_ids: ids.length === 0 ? null : ids,
    second_factor_required: isRequired === 'true',
  }
}
