import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../../core/platform/main-program.ts'
import { operations } from '../operations.ts'
import type { OperationName } from '../operations.ts'
import { parseCount, parseNames } from '../options.ts'

/** One form of the code. */
export interface Side {
  name: string
  /** A checkout with its packages. */
  dir: string
  /** Changes its copy of the database before it starts. */
  sql: string | undefined
  workerCount: number
}

export interface PairsOptions {
  operation: OperationName
  pairs: number
  seconds: number
  connections: number
  postgres: string | undefined
  sides: readonly Side[]
}

export const usage = `npm run bench:pairs -- [options] NAME=DIR NAME=DIR …
  NAME=DIR             a form of the service: a checkout whose packages are installed and generated, with the migrations of this one;
                       the others are compared with the first
  --operation order    ${Object.keys(operations).join(', ')}
  --pairs 12           how many bursts each gets
  --seconds 2          length of a burst
  --connections 64     concurrent connections
  --sql NAME=SQL       changes the database of NAME before it starts (several are possible)
  --no-worker NAME     leaves the work of NAME undone (several are possible)
  --postgres DIR       another PostgreSQL than the npm package's (DIR/bin/postgres)`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): PairsOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      operation: { type: 'string', default: 'order' },
      pairs: { type: 'string', default: '12' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      sql: { type: 'string', multiple: true, default: [] },
      'no-worker': { type: 'string', multiple: true, default: [] },
      postgres: { type: 'string' },
    },
  })
  const dirs = new Map(positionals.map((text) => splitName('NAME=DIR', text)))
  if (dirs.size !== positionals.length || dirs.size < 2) {
    throw new UsageError('at least two services with different names are needed: NAME=DIR NAME=DIR')
  }
  const sqls = new Map(values.sql.map((text) => splitName('--sql', text)))
  for (const name of [...sqls.keys(), ...values['no-worker']]) {
    if (!dirs.has(name)) throw new UsageError(`no service is called ${name}`)
  }
  const [operation = 'order', ...more] = parseNames(
    'operation',
    values.operation,
    Object.keys(operations) as OperationName[],
  )
  const pairs = parseCount('pairs', values.pairs, 100)
  if (more.length > 0) throw new UsageError('--operation: one at a time')
  if (pairs < 2) throw new UsageError('--pairs: one pair says nothing about the noise')
  if (sqls.size < values.sql.length) throw new UsageError('--sql: once for each name')
  return {
    operation,
    pairs,
    seconds: parseCount('seconds', values.seconds, 60),
    connections: parseCount('connections', values.connections, 1_024),
    postgres: values.postgres,
    sides: [...dirs].map(([name, dir]) => ({
      name,
      dir: checkoutIn(dir),
      sql: sqls.get(name),
      workerCount: values['no-worker'].includes(name) ? 0 : 1,
    })),
  }
}

function splitName(option: string, text: string): [name: string, value: string] {
  const [, name, value] = /^([a-z][a-z0-9-]*)=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new UsageError(`${option}: ${text} is not NAME=…, with a name of small letters, digits and dashes`)
  }
  return [name, value]
}

function checkoutIn(dir: string): string {
  const path = resolve(dir)
  if (!existsSync(join(path, 'bench', 'tsconfig.build.json'))) {
    throw new UsageError(`${dir} is no checkout of this project`)
  }
  return path
}
