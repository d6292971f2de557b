import bodyParser from 'koa-bodyparser'
import type { Context } from 'koa'

/** Some fields of a few hundred characters, each written as three. */
const parseForm = bodyParser({
  enableTypes: ['form'],
  formLimit: '8kb',
  onerror: (error) => {
    throw error
  },
})

/**
 * The text fields of a form; a field is empty if it is missing or not text, and every field is if the body is not a
 * form.
 */
export async function readForm<Name extends string>(
  ctx: Context,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  let body: unknown
  try {
    await parseForm(ctx, () => Promise.resolve())
    body = ctx.request.body
  } catch {
    ctx.set('Connection', 'close') // the rest of the body is not read
  }
  const fieldOf = (name: Name) => {
    const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, fieldOf(name)])) as Record<Name, string>
}

/** A field of a form. */
export interface FormField {
  name: string
  label: string
  type?: 'password'
  autocomplete: string
  value?: string
  hint?: string
  minlength?: number
  maxlength: number
  isOptional?: boolean
  isCode?: boolean
}

/** A problem, shown beside the field if it is about one. */
export interface FormProblem {
  field?: string
  message: string
}

/** A form of text fields. Labels and hints are ours; values were typed by a person. */
export function renderForm({
  action,
  button,
  fields,
  problem,
}: {
  action: string
  button: string
  fields: readonly FormField[]
  problem: FormProblem | undefined
}): string {
  const focused = problem?.field ?? fields.find(({ value }) => value === undefined || value === '')?.name
  const rows = fields.map((field) => {
    const { name, label, type = 'text', autocomplete, value = '', hint, minlength, maxlength } = field
    const isWrong = problem?.field === name
    const described = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? ['problem'] : [])]
    const attributes = [
      `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxlength}"`,
      ...(minlength === undefined ? [] : [`minlength="${minlength}"`]),
      ...(value === '' ? [] : [`value="${escapeHtml(value)}"`]),
      ...(field.isOptional === true ? [] : ['required']),
      ...(field.isCode === true ? ['inputmode="numeric"'] : []),
      ...(name === focused ? ['autofocus'] : []),
      ...(isWrong ? ['aria-invalid="true"'] : []),
      ...(described.length === 0 ? [] : [`aria-describedby="${described.join(' ')}"`]),
    ]
    return `<label for="${name}">${label}</label>
<input ${attributes.join(' ')}>
${hint === undefined ? '' : `<p class="hint" id="${name}-hint">${hint}</p>\n`}${isWrong ? renderProblem(problem.message) : ''}`
  })
  const general = problem !== undefined && problem.field === undefined ? renderProblem(problem.message) : ''
  return `${general}<form method="post" action="${action}">
${rows.join('')}<button>${button}</button>
</form>`
}

export function renderProblem(message: string): string {
  return `<p class="error" role="alert" id="problem">${escapeHtml(message)}</p>\n`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
