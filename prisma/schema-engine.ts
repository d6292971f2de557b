import { readFile } from 'node:fs/promises'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPg } from '@prisma/adapter-pg'
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { runScript } from './run-script.ts'

interface Exports {
  __wbindgen_start(): void
}

/** The engine's entry points that its type declarations leave out. */
interface Bindings {
  SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm(exports: Exports): void
}

/** The one call that we need of a global that Node has and its type declarations lack. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>
}

/**
 * Prisma's own schema engine, in its WebAssembly form, working through the given pool.
 *
 * `prisma migrate` needs a native binary that is downloaded outside npm; this one comes inside a package and keeps
 * the same `_prisma_migrations` history, so both may be used on one database.
 */
export async function createSchemaEngine(pool: pg.Pool): Promise<SchemaEngine> {
  const bindings = await (loaded ??= loadBindings())
  const adapter = bindMigrationAwareSqlAdapterFactory(withWholeScripts(new PrismaPg(pool), pool))
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter)
}

/** Once per process: the package keeps views of the instance's memory in module variables. */
let loaded: Promise<Bindings> | undefined

async function loadBindings(): Promise<Bindings> {
  const bindings = engineModule as unknown as Bindings
  const wasmFile = new URL(
    'schema_engine_bg.wasm',
    import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
  )
  const { instance } = await WebAssembly.instantiate(await readFile(wasmFile), {
    './schema_engine_bg.js': { ...engineModule, ...timersThatLetGo() },
  })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return bindings
}

/**
 * The engine bounds its wait for a lock by a timer of ten seconds, and leaves that running when it has the lock: every
 * program that migrates would end ten seconds late.
 */
function timersThatLetGo(): Record<string, unknown> {
  const names = Object.keys(engineModule).filter((name) => name.startsWith('__wbg_setTimeout_'))
  const start = (callback: () => void, ms: number) => setTimeout(callback, ms).unref()
  return Object.fromEntries(names.map((name) => [name, start]))
}

/**
 * The adapter cuts scripts at every `;` and sends the pieces one by one, which breaks function bodies and leaves half
 * a migration behind when a later piece fails.
 */
function withWholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
  pool: pg.Pool,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect()
      adapter.executeScript = (script) => runScript(pool, script)
      return adapter
    },
  }
}
