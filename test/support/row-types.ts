import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import type pg from 'pg'

const project = join(import.meta.dirname, '../..')

/** A property of a row type: the type of its values, such as `string`, `Date` or `bigint[]`. */
export interface RowProperty {
  kind: string
  mayBeNull: boolean
  mayBeAbsent: boolean
}

/** A call of `$queryRaw` that says what its rows are. */
export interface TypedCall {
  file: string
  firstLine: number
  lastLine: number
  row: Map<string, RowProperty>
}

/** All such calls in the folders, by TypeScript's own reading of the types. */
export function findTypedCalls(folders: readonly string[]): TypedCall[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(project, folder, name)),
  )
  const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project)
  const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false })
  const checker = program.getTypeChecker()
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    return source === undefined ? [] : callsIn(source, checker)
  })
}

function callsIn(source: ts.SourceFile, checker: ts.TypeChecker): TypedCall[] {
  const calls: TypedCall[] = []
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    const [rows] = ts.isTaggedTemplateExpression(node) ? (node.typeArguments ?? []) : []
    if (ts.isTaggedTemplateExpression(node) && /\$queryRaw$/.test(node.tag.getText()) && rows !== undefined) {
      const row = checker.getIndexTypeOfType(checker.getTypeFromTypeNode(rows), ts.IndexKind.Number)
      const properties = (row?.getProperties() ?? []).map(
        (property) => [property.name, describe(property, node, checker)] as const,
      )
      calls.push({
        file: relative(project, source.fileName),
        firstLine: lineAt(node.getStart()),
        lastLine: lineAt(node.getEnd()),
        row: new Map(properties),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return calls
}

function describe(property: ts.Symbol, at: ts.Node, checker: ts.TypeChecker): RowProperty {
  const type = checker.getTypeOfSymbolAtLocation(property, at)
  const parts = type.isUnion() ? type.types : [type]
  const has = (flag: ts.TypeFlags) => parts.some(({ flags }) => (flags & flag) !== 0)
  return {
    kind: kindOf(checker.getNonNullableType(type), checker),
    mayBeNull: has(ts.TypeFlags.Null | ts.TypeFlags.Unknown | ts.TypeFlags.Any),
    mayBeAbsent: (property.flags & ts.SymbolFlags.Optional) !== 0,
  }
}

const flagKinds = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
] as const

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.isUnion()) {
    const kinds = new Set(type.types.map((part) => kindOf(part, checker)))
    return kinds.size === 1 ? ([...kinds][0] ?? 'json') : 'json'
  }
  // A branded text.
  if (type.isIntersection() && type.types[0] !== undefined) return kindOf(type.types[0], checker)
  for (const [flag, kind] of flagKinds) if ((type.flags & flag) !== 0) return kind
  if (checker.isArrayType(type)) {
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
    return element === undefined ? 'json' : `${kindOf(element, checker)}[]`
  }
  const name = type.getSymbol()?.name
  return name === 'Date' || name === 'Uint8Array' ? name : 'json'
}

const kindsOfTypes: Readonly<Record<string, string>> = {
  text: 'string',
  name: 'string',
  int2: 'number',
  int4: 'number',
  float8: 'number',
  int8: 'bigint',
  bool: 'boolean',
  timestamptz: 'Date',
  bytea: 'Uint8Array',
  jsonb: 'json',
  json: 'json',
  _text: 'string[]',
  _int4: 'number[]',
  _int8: 'bigint[]',
  _jsonb: 'json[]',
}

/** The columns that PostgreSQL says a statement has, with the types that Prisma gives their values. It runs nothing. */
export async function describeStatement(client: pg.Client, text: string): Promise<Map<string, string>> {
  const fields = await new Promise<{ name: string; dataTypeID: number }[]>((resolve, reject) => {
    let found: { name: string; dataTypeID: number }[] = []
    client.query({
      submit: (connection: pg.Connection) => {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: { fields: typeof found }) => {
        found = message.fields
      },
      handleReadyForQuery: () => {
        resolve(found)
      },
      handleError: reject,
    } as unknown as pg.Submittable)
  })
  const { rows } = await client.query<{ oid: number; name: string }>(
    'SELECT oid::int, typname::text AS name FROM pg_type WHERE oid = ANY($1::int[])',
    [fields.map(({ dataTypeID }) => dataTypeID)],
  )
  const names = new Map(rows.map(({ oid, name }) => [oid, name]))
  return new Map(
    fields.map(({ name, dataTypeID }) => {
      const type = names.get(dataTypeID) ?? String(dataTypeID)
      return [name, kindsOfTypes[type] ?? type]
    }),
  )
}

/** How a row type differs from the columns of its statement, and from rows that it gave. */
export function findDifferences(
  row: ReadonlyMap<string, RowProperty>,
  columns: ReadonlyMap<string, string>,
  nulls: ReadonlySet<string>,
): string[] {
  return [...row].flatMap(([name, { kind, mayBeNull, mayBeAbsent }]) => {
    const column = columns.get(name)
    if (column === undefined) return mayBeAbsent ? [] : [`${name} is no column`]
    const isParsed = column === 'json' && !/^(Date|Uint8Array|bigint)/.test(kind)
    if (column !== kind && !isParsed) return [`${name} is ${kind}, but its column ${column}`]
    return nulls.has(name) && !mayBeNull ? [`${name} was null, but is never null by its type`] : []
  })
}
