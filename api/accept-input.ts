import type Joi from 'joi'

/** Whether a value is certainly valid, and Joi would give it back unchanged. False proves nothing. */
type Accepts = (value: unknown) => boolean

/** As far as `describe()` says it: https://joi.dev/api/?v=18#anydescribe */
interface Description extends Joi.Description {
  flags?: { presence?: string }
  rules?: { name: string; args?: Record<string, unknown> }[]
  matches?: { schema?: Description }[]
}

/** Parts of a description that change no value. */
const withoutEffect = ['metas', 'examples']

/**
 * A quick first look at an input whose fields are texts and ids: whether Joi is certain to accept it and to give the same
 * value. Nearly every input of the three operations is, and Joi's own look at an order takes a tenth of its CPU in the
 * API. Anything else is left to Joi, which alone refuses: a schema with something unknown here, and any input that is
 * not certain.
 */
export function compileAcceptor(
  schema: Joi.ObjectSchema,
  description = schema.describe(),
): (input: Readonly<Record<string, unknown>>) => boolean {
  const { keys = {}, ...rest } = description
  const fields = Object.entries(keys as Record<string, Description>).map(([name, field]) => ({
    name,
    isRequired: field.flags?.presence === 'required',
    accepts: acceptorOf(field, () => schema.extract([name])),
  }))
  if (!hasOnly(rest, ['type', ...withoutEffect]) || fields.some(({ accepts }) => accepts === undefined)) {
    return () => false
  }
  return (input) =>
    fields.every(({ name, isRequired, accepts }) => {
      const value = input[name]
      return value === undefined ? !isRequired : accepts?.(value) === true
    })
}

function acceptorOf(field: Description, schemaOf: () => Joi.Schema): Accepts | undefined {
  const { flags = {} }: Description = field
  if (!hasOnly(flags, ['presence', 'description', 'error']) || flags.presence === 'forbidden')
    return undefined
  if (field.type === 'string') return acceptorOfText(field, schemaOf)
  // The first that matches gives the value.
  if (field.type !== 'alternatives' || !hasOnly(field, ['type', 'flags', 'matches', ...withoutEffect]))
    return undefined
  const first = field.matches?.[0]?.schema
  return first?.type === 'string' && first.flags === undefined ? acceptorOfText(first) : undefined
}

function acceptorOfText(field: Description, schemaOf?: () => Joi.Schema): Accepts | undefined {
  if (!hasOnly(field, ['type', 'flags', 'rules', ...withoutEffect])) return undefined
  const tests: ((text: string) => boolean)[] = [(text) => text !== '']
  for (const { name, args = {} } of field.rules ?? []) {
    const test = testOf(name, args, schemaOf)
    if (test === undefined) return undefined
    tests.push(test)
  }
  return (value) => typeof value === 'string' && tests.every((test) => test(value))
}

function testOf(
  name: string,
  args: Record<string, unknown>,
  schemaOf: (() => Joi.Schema) | undefined,
): ((text: string) => boolean) | undefined {
  const { limit, regex } = args
  if (name === 'trim' && args['enabled'] === true) return (text) => text === text.trim()
  if (name === 'max' && hasOnly(args, ['limit']) && typeof limit === 'number')
    return (text) => text.length <= limit
  if (name === 'pattern' && hasOnly(args, ['regex']) && typeof regex === 'string') {
    const end = regex.lastIndexOf('/')
    const pattern = new RegExp(regex.slice(1, end), regex.slice(end + 1))
    return (text) => pattern.test(text)
  }
  // Joi itself, for this field alone.
  const schema = name === 'email' ? schemaOf?.() : undefined
  return schema === undefined ? undefined : (text) => isUnchanged(schema, text)
}

function isUnchanged(schema: Joi.Schema, text: string): boolean {
  const { error, value } = schema.validate(text) as { error?: unknown; value?: unknown }
  return error === undefined && value === text
}

function hasOnly(object: object, names: readonly string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name))
}
