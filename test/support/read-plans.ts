import { expect } from 'chai'
import pg from 'pg'
import { plannerSettings } from '../../core/platform/session-settings.ts'
import { adminApiKey } from './config.ts'
import { rowsReadBy, stepsOf } from './plans.ts'
import type { Step } from './plans.ts'
import type { TestService } from './service.ts'

/** For a session that plans as the service’s own do, and whose values are read by the time zone. */
export const plannerOptions = Object.entries({ TimeZone: 'UTC', ...plannerSettings })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

export interface Statement {
  text: string
  values: readonly unknown[]
}

/** The plans of the statements that a service sends for a read of the management API. */
export interface Plans {
  /** Fails if a step of a plan reads or sorts more rows than this, or reads a whole table. */
  expectFewRowsRead: (path: string, rowsMax: number) => Promise<void>
  close: () => Promise<void>
}

/** Looks at the database as it is then: fill it before. */
export async function openPlans(service: TestService): Promise<Plans> {
  const client = new pg.Client({
    connectionString: String(service.env['DATABASE_URL']),
    options: plannerOptions,
  })
  await client.connect()
  await client.query('ANALYZE')
  return {
    expectFewRowsRead: async (path, rowsMax) => {
      for (const statement of await statementsOf(service, path)) {
        for (const step of stepsOf(await planOf(client, statement))) {
          const what = `${path}: ${statement.text}\n${JSON.stringify(step)}`
          expect(rowsReadBy(step), what).to.be.at.most(rowsMax)
          if (step['Node Type'].includes('Sort')) expect(step['Actual Rows'], what).to.be.at.most(rowsMax)
          expect(step['Node Type'], what).to.not.equal('Seq Scan')
        }
      }
    },
    close: () => client.end(),
  }
}

/** The statements that a read consists of, as the service sends them. */
async function statementsOf(service: TestService, path: string): Promise<Statement[]> {
  const headers = { Authorization: `Bearer ${adminApiKey}` }
  const { statements, result: reply } = await listenToStatements(() =>
    service.client.send('GET', path, { headers }),
  )
  if (reply.status !== 200) throw new Error(reply.text)
  return statements.filter(({ text }) => !/\b(INSERT|UPDATE)\b/.test(text))
}

/** The statements that this process sends meanwhile. */
export async function listenToStatements<Result>(
  run: () => Promise<Result>,
): Promise<{ statements: readonly Statement[]; result: Result }> {
  const statements: Statement[] = []
  const send: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof send !== 'function') throw new Error('a client that sends nothing')
  const listen = function (this: unknown, ...args: unknown[]): unknown {
    const [config] = args
    if (typeof config === 'object' && config !== null && 'text' in config && 'values' in config) {
      const { text, values } = config as Statement
      statements.push({ text, values })
    }
    return Reflect.apply(send, this, args)
  }
  Reflect.set(pg.Client.prototype, 'query', listen)
  try {
    return { statements, result: await run() }
  } finally {
    Reflect.set(pg.Client.prototype, 'query', send)
  }
}

async function planOf(client: pg.Client, { text, values }: Statement): Promise<Step> {
  const literals = values.map((value) => {
    if (value === null) return 'NULL'
    if (typeof value === 'string') return pg.escapeLiteral(value)
    if (typeof value === 'number' || typeof value === 'boolean') return `'${String(value)}'`
    throw new Error(`a value that is ${typeof value}`)
  })
  await client.query(`PREPARE listed AS ${text}`)
  try {
    const execute = `EXECUTE listed${literals.length === 0 ? '' : `(${literals.join(', ')})`}`
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('no plan')
    return plan
  } finally {
    await client.query('DEALLOCATE listed')
  }
}
