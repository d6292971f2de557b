import pg from 'pg'

/** The connections of a pool, and the statements that wait for one. */
export interface PoolUse {
  busy: number
  idle: number
  max: number
  waiting: number
}

const ignore = () => undefined

/**
 * A pool of connections each of which may be lost at any moment. The driver listens to the errors of idle connections
 * only: one in use would end the process when its server goes away. Listening hides nothing, since the loss rejects the
 * query in progress, or the next one. `onIdleError` gets the errors that would otherwise go unreported.
 */
export class Pool extends pg.Pool {
  constructor(config: pg.PoolConfig, onIdleError: (error: Error) => void) {
    super(config)
    this.on('error', onIdleError)
    // Every queue and worker that shares it listens, too.
    this.setMaxListeners(0)
    this.on('connect', (client) => client.on('error', ignore))
  }

  inUse(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this
    return { busy: totalCount - idleCount, idle: idleCount, max: options.max, waiting: waitingCount }
  }
}

/** For arrays of text. */
const parseTexts = parserOf(1009) as (text: string) => (string | null)[]
const parseBytes = parserOf(pg.types.builtins.BYTEA) as (text: string) => Buffer

/** Those whose values Prisma gives differently from the driver. */
const parsers: Readonly<Record<number, Parser>> = {
  [pg.types.builtins.INT8]: BigInt,
  // Arrays of int8.
  1016: (text) => parseTexts(text).map((value) => (value === null ? null : BigInt(value))),
  [pg.types.builtins.BYTEA]: (text) => {
    const { buffer, byteOffset, byteLength } = parseBytes(text)
    return new Uint8Array(buffer, byteOffset, byteLength)
  },
}

/** The types of values in the rows of our own statements. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') => parsers[type] ?? parserOf(type, format),
}

function parserOf(type: number, format?: 'text' | 'binary'): Parser {
  // The driver's types know no arrays.
  const { getTypeParser } = pg.types as {
    getTypeParser: (type: number, format?: 'text' | 'binary') => Parser
  }
  return getTypeParser(type, format)
}

type Parser = (text: string) => unknown
