import { PrismaPg } from '@prisma/adapter-pg'
import type { Config } from '../../core/platform/config.ts'
import { Prisma, PrismaClient } from '../../prisma/generated/client.ts'

export { Prisma, PrismaClient }

/** The client inside an interactive transaction. */
export type Transaction = Prisma.TransactionClient

/** Prisma as its documentation sets it up, with the same number of connections as ours has. */
export function openPrisma(config: Config): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg({
      connectionString: config.databaseUrl,
      max: config.databasePoolMax,
      connectionTimeoutMillis: 3_000,
    }),
  })
}
