import { Prisma } from '../../prisma/generated/client.ts'

/**
 * The values that may be in a statement by themselves. Arrays and times may not: on the way to the driver the type of
 * an array is guessed from its first element (null, for example, makes text of bytes), and a time loses its zone. The
 * functions below write both in PostgreSQL's format, by the type of the column.
 */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null | Prisma.Sql

/** A piece of SQL with its values. */
export function sql(strings: TemplateStringsArray, ...values: readonly SqlValue[]): Prisma.Sql {
  return Prisma.sql(strings, ...values)
}

/** How locked rows are handled: waited for, or skipped. */
export const rowLocks = { wait: Prisma.empty, skip: Prisma.sql`SKIP LOCKED` } as const
export type RowLocks = (typeof rowLocks)[keyof typeof rowLocks]

/** Concatenates parts of a statement. */
export function joined(parts: readonly Prisma.Sql[], separator: string): Prisma.Sql {
  return parts.length === 0 ? Prisma.empty : Prisma.join([...parts], separator)
}

/** The array format of a type's values. Throws on values that the type cannot hold. */
interface ColumnType<Value> {
  name: string
  write: (value: Value) => string
}

export const textType: ColumnType<string> = { name: 'text', write: quoted }
export const jsonbType: ColumnType<string> = { name: 'jsonb', write: quoted }
export const byteaType: ColumnType<Uint8Array> = { name: 'bytea', write: hexadecimal }
export const booleanType: ColumnType<boolean> = { name: 'boolean', write: (value) => (value ? 't' : 'f') }
export const intType: ColumnType<number> = { name: 'int', write: (value) => String(wholeNumber(value)) }
export const bigintType: ColumnType<bigint | number | string> = {
  name: 'bigint',
  write: (value) => String(typeof value === 'number' ? wholeNumber(value) : BigInt(value)),
}
export const float8Type: ColumnType<number> = { name: 'float8', write: String }
export const timestamptzType: ColumnType<Date> = {
  name: 'timestamptz',
  write: (value) => quoted(isoTime(value)),
}

/** A time as a value of its own: `created_at < ${instant(now)}`. */
export function instant(time: Date | null): Prisma.Sql {
  return sql`${time === null ? null : isoTime(time)}::timestamptz`
}

/**
 * A fragment that depends only on the time: it is built once, and each statement only adds its time. Statements are
 * made for every batch, so their constant parts should cost nothing.
 */
export function timed(build: (now: Prisma.Sql) => Prisma.Sql): (now: Date) => Prisma.Sql {
  const { strings, values } = build(sql`${timeToCome}::timestamptz`)
  return (now) => {
    const time = isoTime(now)
    return Prisma.sql(strings, ...values.map((value) => (value === timeToCome ? time : value)))
  }
}

/** A placeholder for the time; never a real value. */
const timeToCome = '\0'

/** An array as a value of its own: `id = ANY(${textArray(ids)})`. */
export function textArray(values: readonly (string | null)[] | null): Prisma.Sql {
  return values === null ? sql`${null}::text[]` : arrayOf(textType, values)
}

export function bigintArray(values: readonly (bigint | number | string | null)[]): Prisma.Sql {
  return arrayOf(bigintType, values)
}

export function byteaArray(values: readonly (Uint8Array | null)[]): Prisma.Sql {
  return arrayOf(byteaType, values)
}

/** A column of the input of a statement: its type, and its value in each row. */
export interface InputColumn<Row> {
  typeName: string
  arrayFrom: (rows: readonly Row[]) => string
}

/**
 * The rows that a statement works on, as `unnest(…) AS input (…)`. Name, type and value of a column stand together, so
 * that none can slip into another's place:
 *
 *     SELECT * FROM ${batchInput(writes, {
 *       prize_id: text((write) => write.prizeId),
 *       expires_at: timestamptz((write) => write.expiresAt),
 *     })}
 */
export function batchInput<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, InputColumn<Row>>>,
): Prisma.Sql {
  const named = Object.entries(columns)
  const strings = ['unnest(', ...named.map(([, column], index) => endOf(column, index === named.length - 1))]
  strings.push(`${strings.pop() ?? ''} AS input (${named.map(([name]) => columnName(name)).join(', ')})`)
  return Prisma.sql(strings, ...named.map(([, column]) => column.arrayFrom(rows)))
}

/** The `SET` list of an `UPDATE`: each of these columns with its value in a step of the statement. */
export function assignedFrom(
  step: string,
  columns: Readonly<Record<string, InputColumn<never>>>,
): Prisma.Sql {
  return Prisma.raw(
    Object.keys(columns)
      .map((name) => `${name} = ${step}.${name}`)
      .join(', '),
  )
}

export const text = columnOf(textType)
export const jsonb = columnOf(jsonbType)
export const bytea = columnOf(byteaType)
export const boolean = columnOf(booleanType)
export const int = columnOf(intType)
export const bigint = columnOf(bigintType)
export const float8 = columnOf(float8Type)
export const timestamptz = columnOf(timestamptzType)

function columnOf<Value>(type: ColumnType<Value>) {
  return <Row>(valueOf: (row: Row, index: number) => Value | null): InputColumn<Row> => ({
    typeName: type.name,
    arrayFrom: (rows) => arrayLiteral(type, rows, valueOf),
  })
}

function endOf(column: InputColumn<never>, isLast: boolean): string {
  return `::${column.typeName}[]${isLast ? ')' : ', '}`
}

/** Column names are part of the SQL text; they come from our own code only. */
function columnName(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${name} is not a column name`)
  return name
}

function arrayOf<Value>(type: ColumnType<Value>, values: readonly (Value | null)[]): Prisma.Sql {
  return Prisma.sql(
    ['', `::${type.name}[]`],
    arrayLiteral(type, values, (value) => value),
  )
}

/** As in https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function arrayLiteral<Row, Value>(
  type: ColumnType<Value>,
  rows: readonly Row[],
  valueOf: (row: Row, index: number) => Value | null,
): string {
  const elements = rows.map((row, index) => {
    const value = valueOf(row, index)
    return value === null ? 'NULL' : type.write(value)
  })
  return `{${elements.join(',')}}`
}

function quoted(value: string): string {
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

function hexadecimal(bytes: Uint8Array): string {
  return `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}"`
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(value)} is not a whole number`)
  return value
}

/** With its offset, so that it is the same moment in every session time zone. */
function isoTime(time: Date): string {
  return time.toISOString().replace(/^\+0*/, '')
}
