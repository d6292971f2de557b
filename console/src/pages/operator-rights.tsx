import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Form, Reason } from '../ui/form.tsx'
import { Newer } from '../ui/newer.tsx'
import { definitionOf, OperatorFields } from '../ui/operator-fields.tsx'
import { Facts } from '../ui/page.tsx'
import { Given } from '../ui/values.tsx'
import { useSeen } from '../use-seen.ts'

type Operator = Schemas['Operator']

/** The form for an operator's name and rights. It is refused if another admin has changed them since it was shown. */
export function OperatorRights({
  operator,
  onSaved,
}: {
  operator: Operator
  onSaved: (saved: Operator) => void
}) {
  const { first, newer, unlessChanged } = useSeen(operator)
  const operatorId = operator.operator_id
  return (
    <Form
      button="Save"
      onSubmit={async (values) => {
        const body = { ...definitionOf(values), reason: values['reason'] ?? '' }
        const params = { path: { operator_id: operatorId } }
        const root = '/admin/operators/{operator_id}' as const
        const { data } = await unlessChanged(
          (expected_revision) => answered(api.PUT(root, { params, body: { ...body, expected_revision } })),
          () => readOperator(operatorId),
        )
        onSaved(data)
      }}
    >
      {(problemOf) => (
        <>
          {newer !== undefined && (
            <Newer>
              <Facts
                facts={[
                  ['Name', <Given key="name" text={newer.name} />],
                  ['Role', newer.role],
                  ['Casinos', <Given key="casinos" text={newer.casino_ids?.join(' ') ?? 'all'} />],
                  ['Second factor', newer.second_factor_required ? 'required' : 'optional'],
                ]}
              />
            </Newer>
          )}
          <OperatorFields operator={first} problemOf={problemOf} />
          <Reason problem={problemOf('reason')} />
        </>
      )}
    </Form>
  )
}

export async function readOperator(operatorId: string, signal?: AbortSignal): Promise<Operator> {
  const params = { path: { operator_id: operatorId } }
  const options = { params, ...(signal === undefined ? {} : { signal }) }
  return (await answered(api.GET('/admin/operators/{operator_id}', options))).data
}
