import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startChild } from '../../local/child.ts'
import { PortTakenError, startOnFreePort } from '../../local/free-port.ts'
import { eventually } from './eventually.ts'
import { makeServerFolder } from './server-folder.ts'

/** HAProxy before several APIs, as in production: it asks each one's `/readyz`, and sends requests to the ready ones. */
export interface LoadBalancer {
  url: string
  /** Gives requests to the API at this URL in the given place from now on; resolves when they reach it. */
  use(place: string, apiUrl: string): Promise<void>
  /** Removes the API in a place that is not ready any more, once HAProxy has seen that itself. */
  drop(place: string): Promise<void>
  stop(): Promise<void>
}

/** HAProxy with the test's own configuration. */
export interface Haproxy {
  url: string
  /** Sends a command to its socket, and gives the answer. */
  command: (line: string) => Promise<string>
  stop: () => Promise<void>
}

/** Starts it in a new folder with these files, by name; `haproxy.cfg` must bind the port, and the socket for commands. */
export async function startHaproxy(
  binary: string,
  filesOf: (place: { port: number; socket: string }) => Readonly<Record<string, string>>,
): Promise<Haproxy> {
  const folder = makeServerFolder()
  const socket = join(folder, 'haproxy.sock')
  const { url, stop } = await startOnFreePort(undefined, async (port) => {
    await mkdir(folder, { recursive: true })
    for (const [name, contents] of Object.entries(filesOf({ port, socket }))) {
      await writeFile(join(folder, name), contents)
    }
    const configFile = join(folder, 'haproxy.cfg')
    const isReady = () => existsSync(socket)
    const removeFolder = () => rm(folder, { recursive: true, force: true })
    const haproxy = await runHaproxy(binary, { configFile, isReady, env: {} }).catch(
      async (error: unknown) => {
        await removeFolder()
        throw error
      },
    )
    const stopBalancer = async () => {
      await haproxy.stop()
      await removeFolder()
    }
    return { url: `http://127.0.0.1:${port}`, stop: stopBalancer }
  })
  const command = async (line: string) => {
    const connection = createConnection(socket)
    connection.end(`${line}\n`)
    return (await text(connection)).trim()
  }
  return { url, stop, command }
}

/** Starts it with places that are empty: no API has been given to it. */
export async function startLoadBalancer(binary: string, places: readonly string[]): Promise<LoadBalancer> {
  const { url, stop, command } = await startHaproxy(binary, ({ port, socket }) => ({
    'haproxy.cfg': configuration(port, socket, places),
  }))
  /** Its answer to a change is empty, or says how it was understood. */
  const change = async (line: string) => {
    const answer = await command(line)
    if (answer !== '' && !/^(?:IP changed|no need to change)/.test(answer))
      throw new Error(`${line}: ${answer}`)
  }
  const stateIs = (place: string, state: string) => async () => {
    const rows = (await command('show stat')).split('\n').map((row) => row.split(','))
    const column = rows[0]?.indexOf('status') ?? -1
    const row = rows.find(([backend, server]) => backend === 'apis' && server === place)
    return row?.[column]?.startsWith(state) === true
  }
  return {
    url,
    stop,
    use: async (place, apiUrl) => {
      const { hostname, port } = new URL(apiUrl)
      await change(`set server apis/${place} addr ${hostname} port ${port}`)
      await change(`set server apis/${place} health down`) // until a check says otherwise
      await change(`set server apis/${place} state ready`)
      await eventually(`HAProxy uses ${place}`, stateIs(place, 'UP'))
    },
    drop: async (place) => {
      await eventually(`HAProxy has seen that ${place} is not ready`, stateIs(place, 'DOWN'))
      await change(`set server apis/${place} state maint`)
    },
  }
}

interface HaproxyOptions {
  configFile: string
  env: Readonly<Record<string, string>>
  /** For HAProxy to take requests. */
  isReady: () => boolean | Promise<boolean>
}

/** Starts it with this file. Rejects with a `PortTakenError` if another process has one of its ports. */
export async function runHaproxy(
  binary: string,
  { configFile, isReady, env }: HaproxyOptions,
): Promise<{ stop(): Promise<void> }> {
  const lines: string[] = []
  const child = await startChild({
    command: binary,
    // The limit of a production file needs more file descriptors than a test may have.
    args: ['-W', '-db', '-n', '1000', '-f', configFile],
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGTERM', waitMs: 5_000 }],
    onLine: (line) => lines.push(line),
  })
  try {
    await eventually('HAProxy runs', async () => child.hasEnded() || (await isReady()))
    if (!child.hasEnded()) return child
  } catch (error) {
    await child.stop()
    throw error
  }
  const log = lines.join('\n')
  if (log.includes('cannot bind')) throw new PortTakenError(log)
  throw new Error(`HAProxy did not start:\n${log}`)
}

/** It checks often, so that a drain of a second is long enough. A request that was sent is never sent again. */
function configuration(port: number, socket: string, places: readonly string[]): string {
  return `global
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend casinos
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 100ms fall 2 rise 1 init-addr none
${places.map((place) => `  server ${place} 127.0.0.1:1 disabled\n`).join('')}`
}
