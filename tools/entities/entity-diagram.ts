/** A table of schema.prisma, as far as diagrams show it. */
interface Table {
  name: string
  columns: { name: string; type: string; isKey: boolean; isForeign: boolean }[]
  /** Tables that its foreign keys lead to. */
  parents: string[]
}

/** The tables that are drawn together, by the heading in docs/contribute/entities.md. Every table is in one of them. */
const groups: Record<string, readonly string[]> = {
  '## Casinos and catalogue': [
    'casino',
    'api_key',
    'casino_setting',
    'item',
    'box',
    'box_version',
    'box_entry',
    'box_stock',
  ],
  '## Operators': ['operator', 'operator_session', 'act', 'act_object'],
  '## Players and openings': [
    'player',
    'opening_grant',
    'server_seed',
    'opening',
    'prize',
    'prize_note',
    'prize_archive',
    'removed_prize',
    'removed_month',
    'archived_opening_count',
    'archived_draw_count',
  ],
  '## Orders': ['prize_order', 'order_hold', 'partner_event'],
  '## Cashbacks and money': ['cashback', 'wallet_answer', 'ledger_transaction', 'ledger_entry'],
  '## Events and webhooks': [
    'event',
    'event_archive',
    'webhook_endpoint',
    'webhook_secret',
    'webhook_delivery',
  ],
  '## Work, answers and the audit trail': [
    'outbox',
    'idempotency_record',
    'set_aside',
    'process_minute',
    'audit_entry',
    'audit_link',
    'audit_chain',
  ],
}

/** Columns that name a row of another table, where the name alone does not say which. */
const tableOfColumn: Record<string, string> = {
  order_id: 'prize_order',
  seed_id: 'server_seed',
  grant_id: 'opening_grant',
  endpoint_id: 'webhook_endpoint',
  entry_id: 'audit_entry',
}

/** One Mermaid diagram for each heading. Throws when a table is in no group, or in one and not in the schema. */
export function renderEntities(schema: string): Record<string, string> {
  const tables = new Map(readTables(schema).map((table) => [table.name, table]))
  const drawn = Object.values(groups).flat()
  const missing = [...tables.keys()].filter((name) => !drawn.includes(name))
  const unknown = drawn.filter((name) => !tables.has(name))
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(
      `tables in no group: ${missing.join(', ') || '–'}; groups without a table: ${unknown.join(', ') || '–'}`,
    )
  }
  return Object.fromEntries(
    Object.entries(groups).map(([heading, names]) => [
      heading,
      renderGroup(
        names.flatMap((name) => tables.get(name) ?? []),
        new Set(tables.keys()),
      ),
    ]),
  )
}

function renderGroup(group: readonly Table[], known: ReadonlySet<string>): string {
  const entities = group.flatMap(({ name, columns }) => [
    `${name} {`,
    ...columns
      .filter(
        ({ isKey, isForeign, name: column }) => isKey || isForeign || namedTable(column, known) !== undefined,
      )
      .map(({ name: column, type, isKey, isForeign }) => {
        const marks = [...(isKey ? ['PK'] : []), ...(isForeign ? ['FK'] : [])].join(', ')
        return `  ${type} ${column}${marks === '' ? '' : ` ${marks}`}`
      }),
    '}',
  ])
  const links = group.flatMap(({ name, columns, parents }) => {
    const plain = columns.filter(({ isForeign }) => !isForeign)
    const named = plain.flatMap(({ name: column }) => namedTable(column, known) ?? [])
    const loose = [...new Set(named)].filter((parent) => !parents.includes(parent) && parent !== name)
    return [
      ...parents.map((parent) => `${parent} ||--o{ ${name} : ""`),
      // Every table has a casino: these lines would hide the others.
      ...loose.filter((parent) => parent !== 'casino').map((parent) => `${parent} ||..o{ ${name} : ""`),
    ]
  })
  return ['erDiagram', ...[...entities, ...links].map((line) => `  ${line}`), ''].join('\n')
}

/** The table that a column such as `prize_id` names a row of. */
function namedTable(column: string, known: ReadonlySet<string>): string | undefined {
  const table = tableOfColumn[column] ?? /^(\w+)_id$/.exec(column)?.[1]
  return table !== undefined && known.has(table) ? table : undefined
}

function readTables(schema: string): Table[] {
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, model = '', body = '']) => ({
      model,
      body,
      name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
    }),
  )
  const nameOf = new Map(models.map(({ model, name }) => [model, name]))
  return models.map(({ name, body }) => {
    const fields = body
      .split('\n')
      .map((line) => /^ {2}(\w+) +(\w+)(\[\])?\??(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, field = '', type = '', list, rest = '']) => ({
        field,
        type,
        isList: list !== undefined,
        rest,
      }))
    const listed = (pattern: RegExp, text: string) => pattern.exec(text)?.[1]?.split(', ') ?? []
    const keys = new Set(listed(/@@id\(\[([^\]]+)\]/, body))
    const relations = fields.filter(({ rest }) => /@relation\(.*fields:/.test(rest))
    const foreign = new Set(relations.flatMap(({ rest }) => listed(/fields: \[([^\]]+)\]/, rest)))
    return {
      name,
      columns: fields
        .filter(({ type }) => !nameOf.has(type))
        .map(({ field, type, isList, rest }) => ({
          name: /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field,
          type: isList ? `${type}[]` : type,
          isKey: keys.has(field) || /@id\b/.test(rest),
          isForeign: foreign.has(field),
        })),
      parents: relations.map(({ type }) => nameOf.get(type) ?? type),
    }
  })
}
