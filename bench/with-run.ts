import { rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { benchDir, build, makeRunDir } from './build.ts'
import { createAutocannon } from './load/autocannon.ts'
import type { Client } from './load/load.ts'
import { hasWrk, wrk } from './load/wrk.ts'
import type { ClientName } from './options.ts'
import { startServers } from './servers.ts'
import type { Servers } from './servers.ts'

/** The servers, the client and the folders of a benchmark. */
export interface Run {
  servers: Servers
  client: Client
  runDir: string
  buildDir: string
}

/** Compiles, starts the servers, and stops and removes everything afterwards, also on Ctrl-C. */
export async function withRun<Result>(
  options: { client: ClientName | undefined; postgres?: string | undefined },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const runDir = await makeRunDir()
  let servers: Servers | undefined
  let cleaning: Promise<void> | undefined
  const stopAndRemove = async () => {
    await servers?.stop()
    await rm(runDir, { recursive: true, force: true })
  }
  // Once: a signal and the error that it causes elsewhere both end up here.
  const cleanUp = () => (cleaning ??= stopAndRemove())
  // The services' processes stop when this one exits (local/child.ts).
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
  }
  try {
    console.log('compiling')
    const buildDir = await build(runDir)
    const client = await chooseClient(options.client, buildDir)
    const postgres = options.postgres ?? 'of the npm package'
    console.log(
      `client: ${client.name}; ${cpus().length} CPUs; Node ${process.version}; PostgreSQL ${postgres}`,
    )
    servers = await startServers(runDir, options.postgres)
    return await work({ servers, client, runDir, buildDir })
  } finally {
    await cleanUp()
  }
}

async function chooseClient(wanted: ClientName | undefined, buildDir: string): Promise<Client> {
  const name = wanted ?? ((await hasWrk()) ? 'wrk' : 'autocannon')
  return name === 'wrk' ? wrk : createAutocannon(join(buildDir, 'bench/load/autocannon-main.js'))
}

/** Writes the results into a new file, with the time and the machine; returns its path. */
export async function writeResults(kind: string, results: object): Promise<string> {
  const at = new Date().toISOString()
  const file = join(benchDir, `${kind}${at.replaceAll(':', '-')}.json`)
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version }
  await writeFile(file, `${JSON.stringify({ at, machine, ...results }, null, 2)}\n`)
  return file
}
