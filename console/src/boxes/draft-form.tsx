import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { orAbsent, refuseTaken } from '../typed.ts'
import { Field, Form, textsOf } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { Section } from '../ui/page.tsx'
import { useQuery } from '../use-query.ts'
import { EntryFields, TermsFields } from './box-fields.tsx'
import type { Line } from './box-fields.tsx'
import { draftOf } from './draft.ts'
import type { Draft } from './draft.ts'

/** A draft that the service has looked at, and the version that it would replace. */
export interface Checked {
  boxId: string
  draft: Draft
  current: Schemas['Box'] | undefined
  report: Schemas['BoxReport']
}

/** The form of a box. The checked draft is given up as soon as anything in it changes. */
export function DraftForm({
  casinoId,
  box,
  onChecked,
}: {
  casinoId: string
  box: Schemas['Box'] | undefined
  onChecked: (checked: Checked | undefined) => void
}) {
  const [lines, setLines] = useState<readonly Line[]>(
    () => box?.entries.map((entry, key) => ({ key, entry })) ?? [{ key: 0 }],
  )
  const [values, setValues] = useState<FormValues>({})
  const holder = useRef<HTMLDivElement>(null)
  const items = useQuery(`items to draw ${casinoId}`, (signal) => readItems(casinoId, signal))
  // The checked draft is no longer the one in the form.
  const read = () => {
    const form = holder.current?.querySelector('form') ?? null
    if (form !== null) setValues(textsOf(form))
    onChecked(undefined)
  }
  useLayoutEffect(read, [lines])

  return (
    <div ref={holder} onInput={read}>
      <Section title={box === undefined ? 'The box' : `From version ${String(box.version)}`}>
        <Form
          button="Check"
          onSubmit={async (typed) => {
            onChecked(undefined)
            onChecked(await check(casinoId, box, typed, lines.length))
          }}
        >
          {(problemOf) => (
            <>
              {box === undefined && (
                <Field
                  name="box_id"
                  label="Id"
                  hint="1 to 128 characters. It never changes."
                  problem={problemOf('box_id')}
                  maxLength={128}
                  isRequired
                />
              )}
              <TermsFields box={box} problemOf={problemOf} />
              <EntryFields
                lines={lines}
                values={values}
                fallback={box?.fallback_item_id ?? undefined}
                items={items.value ?? []}
                problemOf={problemOf}
                onAdd={() => {
                  setLines([...lines, { key: Math.max(...lines.map(({ key }) => key)) + 1 }])
                }}
                onRemove={(gone) => {
                  setLines(lines.filter(({ key }) => key !== gone))
                }}
              />
            </>
          )}
        </Form>
      </Section>
    </div>
  )
}

/** The first ones are suggested; any other id can be typed. */
async function readItems(casinoId: string, signal: AbortSignal): Promise<readonly Schemas['Item'][]> {
  const params = { path: { casino_id: casinoId }, query: { limit: 200 } }
  return (await answered(api.GET('/admin/casinos/{casino_id}/items', { params, signal }))).data
}

/** Has the service look at the draft without publishing it, beside the version that is current now. */
async function check(
  casinoId: string,
  box: Schemas['Box'] | undefined,
  typed: FormValues,
  entryCount: number,
): Promise<Checked> {
  const boxId = box?.box_id ?? typed['box_id'] ?? ''
  draftOf(typed, entryCount, 0)
  const current = await orAbsent('box_unknown', readBox(casinoId, boxId))
  if (box === undefined) refuseTaken('box_id', current)
  const draft = draftOf(typed, entryCount, current?.version ?? 0)
  const params = { path: { casino_id: casinoId, box_id: boxId } }
  const body = { ...draft, draws: 0 }
  const answer = await answered(
    api.POST('/admin/casinos/{casino_id}/boxes/{box_id}/simulate', { params, body }),
  )
  return { boxId, draft, current, report: answer.data }
}

/** The current version. */
export async function readBox(
  casinoId: string,
  boxId: string,
  signal?: AbortSignal,
): Promise<Schemas['Box']> {
  const params = { path: { casino_id: casinoId, box_id: boxId } }
  const options = { params, ...(signal === undefined ? {} : { signal }) }
  return (await answered(api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', options))).data
}
