import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Form, Reason } from './form.tsx'
import type { FormValues } from './form.tsx'

/** The headers of a person's request: a key that makes a repetition have one effect, and the reason. */
export interface ReasonHeaders {
  'Idempotency-Key': string
  'X-Reason': string
}

/** Asks for a reason, and perhaps for other values, before an action. */
export function ReasonDialog({
  title,
  button,
  text,
  tone,
  fields,
  onClose,
  onSubmit,
}: {
  title: string
  button: string
  /** The consequences. */
  text: string
  tone?: 'danger'
  fields?: (problemOf: (name: string) => string | undefined) => ComponentChildren
  onClose: () => void
  /** The reason is in the headers, as ASCII. Rejects with an `ApiError`; the dialog closes otherwise. */
  onSubmit: (headers: ReasonHeaders, values: FormValues) => Promise<void>
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Form
        button={button}
        {...(tone === undefined ? {} : { tone })}
        onSubmit={async (values, headers) => {
          const reason = encodeURIComponent(values['reason'] ?? '')
          await onSubmit({ ...headers, 'X-Reason': reason }, values)
          onClose()
        }}
        aside={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {(problemOf) => (
          <>
            {fields?.(problemOf)}
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
