import type { ComponentChildren, TargetedEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError, newIntention, refusedUnsent } from '../api.ts'
import type { FieldProblems } from '../api.ts'
import { Failure, messageOf } from './states.tsx'

/** The text values of a form by the names of their fields; an unticked box has none. */
export type FormValues = Readonly<Record<string, string | undefined>>

interface FormProps {
  button: string
  tone?: 'danger'
  /** Called with the typed values, and a key under which a repetition has one effect. Rejects with an `ApiError`. */
  onSubmit: (values: FormValues, headers: { 'Idempotency-Key': string }) => Promise<void>
  /** Beside the button, such as another one. */
  aside?: ComponentChildren
  /** The values typed earlier, instead of the initial ones. */
  kept?: FormValues | undefined
  children: (problemOf: (name: string) => string | undefined) => ComponentChildren
}

/**
 * A form that keeps the typed values when it is refused. Problems of a field stand beside it, which `problemOf` gives
 * to `Field`; those of parameters without a field of their name stand above the button.
 */
export function Form({ button, tone, onSubmit, aside, kept, children }: FormProps) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // A new key for each set of values: the same one for a repetition after a failure without an answer.
  const intention = useRef({ values: '', headers: newIntention() })
  const form = useRef<HTMLFormElement>(null)
  // Before the browser shows the form: nothing can be typed or read in it while it is still empty.
  useLayoutEffect(() => {
    if (kept !== undefined && form.current !== null) fill(form.current, kept)
  }, [kept])
  const problems = error instanceof ApiError ? error.fields : {}
  const fields = children((name) => problems[name])
  const others = Object.entries(problems).filter(([name]) => !form.current?.elements.namedItem(name))

  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const values = textsOf(event.currentTarget)
    const text = JSON.stringify(values)
    if (intention.current.values !== text) intention.current = { values: text, headers: newIntention() }
    setBusy(true)
    setError(undefined)
    const tooLong = findTooLong(event.currentTarget)
    const sending =
      Object.keys(tooLong).length > 0
        ? Promise.reject(refusedUnsent(tooLong))
        : onSubmit(values, intention.current.headers)
    sending.then(
      () => {
        setBusy(false)
        intention.current = { values: '', headers: newIntention() }
      },
      (refusal: unknown) => {
        setBusy(false)
        setError(refusal)
        if (refusal instanceof ApiError && refusal.status >= 400 && refusal.status < 500)
          intention.current = { values: '', headers: newIntention() }
        const first = refusal instanceof ApiError ? Object.keys(refusal.fields)[0] : undefined
        if (first === undefined) return
        const input = form.current?.elements.namedItem(first)
        if (input instanceof HTMLElement) input.focus()
      },
    )
  }

  return (
    <form ref={form} onSubmit={submit} noValidate={false}>
      {fields}
      {error !== undefined && others.length === 0 && Object.keys(problems).length === 0 && (
        <Failure error={error} />
      )}
      {others.length > 0 && (
        <div class="failure" role="alert">
          <ul>
            {others.map(([name, message]) => (
              <li key={name}>
                {name}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {Object.keys(problems).length > 0 && others.length === 0 && (
        <p class="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class={tone ?? 'primary'} disabled={isBusy}>
          {isBusy ? 'Working…' : button}
        </button>
        {aside}
      </div>
    </form>
  )
}

/** The browser would cut a text at its limit while it is pasted; here it stays, and is refused. */
function findTooLong(form: HTMLFormElement): FieldProblems {
  const problems = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-max-length]')]
    .map(
      ({ name, value, dataset }) =>
        [name, Array.from(value.trim()).length, Number(dataset['maxLength'])] as const,
    )
    .filter(([, length, max]) => length > max)
    .map(([name, length, max]) => [name, `Write at most ${max} characters: these are ${length}.`])
  return Object.fromEntries(problems) as FieldProblems
}

function fill(form: HTMLFormElement, values: FormValues): void {
  for (const [name, value = ''] of Object.entries(values)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = value
    else if (field instanceof HTMLTextAreaElement) field.value = value
    else if (field instanceof HTMLSelectElement) field.value = value
  }
}

/** The texts in a form by the names of their fields. Files are not among them. */
export function textsOf(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as FormValues
}

interface FieldProps {
  name: string
  label: string
  problem: string | undefined
  hint?: string
  /** The initial value. */
  value?: string | undefined
  isRequired?: boolean
  type?: 'text' | 'password'
  rows?: number
  /** In characters. */
  maxLength?: number
  autocomplete?: string
  /** Choices make it a list to choose from. */
  choices?: readonly { value: string; label: string }[]
  /** Told which choice was made. */
  onChoose?: (value: string) => void
}

/** A labelled field with its hint and its problem. */
export function Field({
  name,
  label,
  problem,
  hint,
  value,
  isRequired = false,
  type = 'text',
  rows,
  maxLength,
  autocomplete = 'off',
  choices,
  onChoose,
}: FieldProps) {
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
    .filter((part) => part !== '')
    .join(' ')
  const shared = {
    id,
    name,
    required: isRequired,
    'aria-invalid': problem !== undefined,
    ...(maxLength === undefined ? {} : { 'data-max-length': maxLength }),
    ...(described === '' ? {} : { 'aria-describedby': described }),
  }
  return (
    <p class="field">
      <label for={id}>
        {label}
        {!isRequired && <span class="soft"> (optional)</span>}
      </label>
      {choices !== undefined ? (
        <select
          {...shared}
          defaultValue={value ?? ''}
          onChange={(event) => onChoose?.(event.currentTarget.value)}
        >
          {!isRequired && <option value="">–</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : rows !== undefined ? (
        <textarea {...shared} rows={rows} defaultValue={value ?? ''} />
      ) : (
        <input
          {...shared}
          // The types of Preact tell the kinds of fields apart; both of these are filled in by typing.
          {...(type === 'password' ? { type } : { type })}
          defaultValue={value ?? ''}
          autocomplete={autocomplete}
        />
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </p>
  )
}

/** Why a person does something: the audit trail keeps it. */
export function Reason({ problem }: { problem: string | undefined }) {
  return (
    <Field
      name="reason"
      label="Reason"
      hint="Kept in the audit trail under your name. No personal data of players."
      problem={problem}
      isRequired
      maxLength={500}
    />
  )
}

/** Leaves a form whose object another person has changed, to look at the object; the typed values are handed over. */
export function LookAgain({ onClick }: { onClick: (typed: FormValues) => void }) {
  return (
    <button
      type="button"
      onClick={({ currentTarget: { form } }) => {
        onClick(form === null ? {} : textsOf(form))
      }}
    >
      Show how it is now
    </button>
  )
}
