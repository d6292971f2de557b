import type pg from 'pg'
import { Prisma } from '../../prisma/generated/client.ts'
import { isRefusedStatement, translateDriverError } from './database-error.ts'
import { valueTypes } from './pool.ts'
import type { Pool } from './pool.ts'
import { sql } from './sql.ts'
import type { SqlValue } from './sql.ts'
import type { StatementNames } from './statement-names.ts'

type Session = Pick<pg.ClientBase, 'query'>

/** A statement that is sent when it is awaited, as those of Prisma are, or as part of a transaction. */
export class Statement<Result> implements Promise<Result> {
  readonly [Symbol.toStringTag] = 'Statement'
  /** Sends it, each time. */
  readonly sendIn: (session: Session) => Promise<Result>
  readonly #pool: Pool
  #sent: Promise<Result> | undefined

  constructor(pool: Pool, sendIn: (session: Session) => Promise<Result>) {
    this.#pool = pool
    this.sendIn = sendIn
  }

  then<Value = Result, Refusal = never>(
    onResult?: ((result: Result) => Value | PromiseLike<Value>) | null,
    onError?: ((reason: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Value | Refusal> {
    return this.#send().then(onResult, onError)
  }

  catch<Refusal = never>(
    onError?: ((reason: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    return this.#send().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Result> {
    return this.#send().finally(onEnd)
  }

  #send(): Promise<Result> {
    return (this.#sent ??= this.#sendAlone())
  }

  /**
   * The pool's own method would close the connection after each refusal, and the statement that follows could meet the locks
   * of the closed one.
   */
  async #sendAlone(): Promise<Result> {
    const client = await this.#pool.connectWithRecentPlans().catch((error: unknown) => {
      throw translateDriverError(error)
    })
    let isUsable = false
    try {
      const result = await this.sendIn(client)
      isUsable = true
      return result
    } catch (error) {
      isUsable = isRefusedStatement(error)
      throw error
    } finally {
      client.release(!isUsable)
    }
  }
}

/**
 * Sends our own SQL. It goes to the driver under Prisma's adapter, on the same pool and with the same types of values as
 * Prisma's methods of the same names, which take as much CPU again as the driver. It takes no arrays and no times: sql.ts
 * explains why, and encodes them.
 */
export class RawStatements {
  readonly #pool: Pool
  readonly #names: StatementNames

  constructor(pool: Pool, names: StatementNames) {
    this.#pool = pool
    this.#names = names
  }

  $queryRaw<Rows = unknown>(query: Query, ...values: readonly SqlValue[]): Statement<Rows> {
    return this.#statement(query, values, ({ rows }) => rows as Rows)
  }

  /** Resolves to the number of rows that it has changed or selected. */
  $executeRaw(query: Query, ...values: readonly SqlValue[]): Statement<number> {
    return this.#statement(query, values, ({ rowCount }) => rowCount ?? 0)
  }

  /** Fixed statements in one transaction, one after the other: all take effect, or none. They must not have been awaited. */
  $inTransaction<Results extends readonly unknown[]>(statements: Statements<Results>): Promise<Results> {
    return inTransaction(this.#pool, statements)
  }

  #statement<Result>(
    query: Query,
    more: readonly SqlValue[],
    resultOf: (answer: pg.QueryResult<object>) => Result,
  ): Statement<Result> {
    const { text, values } = query instanceof Prisma.Sql ? query : sql(query, ...more)
    const names = this.#names
    return new Statement(this.#pool, async (session) => {
      try {
        return resultOf(await session.query({ name: names.of(text), text, values, types: valueTypes }))
      } catch (error) {
        throw translateDriverError(error)
      }
    })
  }
}

type Query = TemplateStringsArray | Prisma.Sql

type Statements<Results extends readonly unknown[]> = {
  readonly [Place in keyof Results]: Statement<Results[Place]>
}

async function inTransaction<Results extends readonly unknown[]>(
  pool: Pool,
  statements: Statements<Results>,
): Promise<Results> {
  const client = await pool.connectWithRecentPlans().catch((error: unknown) => {
    throw translateDriverError(error)
  })
  let isUsable = false
  try {
    const results: unknown[] = []
    await client.query('BEGIN')
    try {
      for (const statement of statements) results.push(await statement.sendIn(client))
    } catch (error) {
      // After any other failure the connection is lost, still waits for an answer, or would refuse the statement again.
      if (isRefusedStatement(error)) {
        isUsable = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        )
      }
      throw error
    }
    await client.query('COMMIT')
    isUsable = true
    return results as unknown as Results
  } catch (error) {
    throw translateDriverError(error)
  } finally {
    client.release(!isUsable)
  }
}
