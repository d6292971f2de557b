/**
 * The SQL in sources, found without a parser of either language: templates, and the tables that they name after the words
 * that tables stand after. Reads and writes by Prisma's models count too.
 */

export interface Statement {
  /** Where the template begins. */
  line: number
  lines: number
  text: string
}

/** How long a statement may be with all its fragments, so that it can be read where it is logged or explained. */
export const assembledLinesMax = 90

const sqlWord = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\b/

/** The outermost templates that hold SQL. */
export function findStatements(source: string): Statement[] {
  const statements: Statement[] = []
  let at = 0
  while (at < source.length) {
    const end = endOfToken(source, at)
    const text = source.slice(at, end)
    if (text.startsWith('`') && sqlWord.test(text)) {
      const line = source.slice(0, at).split('\n').length
      statements.push({ line, lines: text.split('\n').length, text })
    }
    at = end
  }
  return statements
}

/**
 * The end of the piece that begins at `at`: a comment, a string, a template with all that is in it, or a single
 * character.
 */
function endOfToken(source: string, at: number): number {
  const two = source.slice(at, at + 2)
  if (two === '//') return after(source, '\n', at)
  if (two === '/*') return after(source, '*/', at + 2)
  const character = source.charAt(at)
  if (character === "'" || character === '"') return endOfString(source, at)
  return character === '`' ? endOfTemplate(source, at) : at + 1
}

function after(source: string, what: string, from: number): number {
  const found = source.indexOf(what, from)
  return found === -1 ? source.length : found + what.length
}

/** An apostrophe in a regular expression begins no string that goes beyond its line. */
function endOfString(source: string, at: number): number {
  for (let next = at + 1; next < source.length; next++) {
    const character = source.charAt(next)
    if (character === '\\') next++
    else if (character === source.charAt(at) || character === '\n') return next + 1
  }
  return source.length
}

function endOfTemplate(source: string, at: number): number {
  let next = at + 1
  while (next < source.length) {
    if (source.charAt(next) === '`') return next + 1
    if (source.charAt(next) === '\\') next += 2
    else if (source.startsWith('${', next)) next = endOfExpression(source, next + 2)
    else next++
  }
  return next
}

function endOfExpression(source: string, from: number): number {
  let depth = 0
  let next = from
  while (next < source.length) {
    const character = source.charAt(next)
    if (character === '}' && depth === 0) return next + 1
    if (character === '{') depth++
    if (character === '}') depth--
    next = endOfToken(source, next)
  }
  return next
}

export interface TableUse {
  table: string
  writes: boolean
}

/** The tables that a source names, of those that `models` has by the names of Prisma's models. */
export function findTableUses(source: string, models: ReadonlyMap<string, string>): TableUse[] {
  const tables = new Set(models.values())
  const inSql = findStatements(source).flatMap(({ text }) => [
    ...uses(text, /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/g, 2, true),
    ...uses(text, /\b(?<!DELETE )(FROM|JOIN|USING)\s+(\w+)/g, 2, false),
  ])
  const inHelpers = [
    ...uses(source, /\binsertInto\(\s*'(\w+)/g, 1, true),
    ...uses(source, /\bfrom: sql`(\w+)/g, 1, false),
    // A name by itself is handed to what makes the statement.
    ...uses(source, /\bsql`(\w+)`/g, 1, false),
  ]
  const inModels = [
    ...source.matchAll(/\.(\w+)\.(find|count|aggregate|groupBy|create|update|upsert|delete)\w*\(/g),
  ]
  return [
    ...[...inSql, ...inHelpers].filter(({ table }) => tables.has(table)),
    ...inModels.flatMap(([, model = '', method = '']) => {
      const table = models.get(model)
      return table === undefined ? [] : [{ table, writes: /^(create|update|upsert|delete)/.test(method) }]
    }),
  ]
}

function uses(text: string, pattern: RegExp, group: number, writes: boolean): TableUse[] {
  return [...text.matchAll(pattern)].map((match) => ({ table: match[group] ?? '', writes }))
}

/** Prisma's models and the tables they stand for. */
export function findModels(schema: string): Map<string, string> {
  return new Map(
    [...schema.matchAll(/^model (\w)(\w*) \{[^}]*@@map\("(\w+)"\)/gm)].map(
      ([, first = '', rest = '', table = '']) => [`${first.toLowerCase()}${rest}`, table],
    ),
  )
}
