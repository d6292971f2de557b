import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startChild } from '../../local/child.ts'
import { PortTakenError, startOnFreePort } from '../../local/free-port.ts'
import { findUnprivilegedUser } from '../../local/unprivileged-user.ts'
import { eventually } from './eventually.ts'
import { makeServerFolder } from './server-folder.ts'

/** A pooler in transaction mode between the service and PostgreSQL. */
export interface Pgbouncer {
  /** The same database and role, through the pooler. */
  throughPooler: (url: string) => string
  /** A command of its console, such as `RECONNECT`. */
  command: (text: string) => Promise<Record<string, unknown>[]>
  stop: () => Promise<void>
}

/** Starts it for the server of `url`, with at most `sessions` for each role and database. The roles are those of `urls`. */
export async function startPgbouncer(
  binary: string,
  urls: readonly string[],
  sessions: number,
): Promise<Pgbouncer> {
  const folder = makeServerFolder()
  const user = await findUnprivilegedUser(folder)
  const { port, stop } = await startOnFreePort(undefined, async (port) => {
    await mkdir(folder, { recursive: true })
    const files = {
      'pgbouncer.ini': configuration(folder, port, urls, sessions),
      'userlist.txt': urls.map(toUser).join(''),
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text, { mode: 0o600 })
      if (user !== undefined) await chown(join(folder, name), user.uid, user.gid)
    }
    const lines: string[] = []
    const child = await startChild({
      command: binary,
      args: [join(folder, 'pgbouncer.ini')],
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      user,
      stdio: ['ignore', 'pipe', 'pipe'],
      stopSteps: [{ signal: 'SIGTERM', waitMs: 5_000 }],
      onLine: (line) => lines.push(line),
    })
    const stopPooler = async () => {
      await child.stop()
      await rm(folder, { recursive: true, force: true })
    }
    const says = (text: string) => lines.some((line) => line.includes(text))
    await eventually('PgBouncer runs', () => child.hasEnded() || says('process up'))
    if (!child.hasEnded()) return { port, stop: stopPooler }
    await stopPooler()
    const log = lines.join('\n')
    if (log.includes('Address already in use')) throw new PortTakenError(log)
    throw new Error(`PgBouncer did not start:\n${log}`)
  })

  const throughPooler = (url: string) => {
    const pooled = new URL(url)
    pooled.port = String(port)
    return pooled.href
  }
  return {
    throughPooler,
    command: async (text) => {
      const url = new URL(throughPooler(urls[0] ?? ''))
      url.pathname = '/pgbouncer'
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    },
    stop,
  }
}

/** As Debian's version has it by default, but for the small number of sessions. */
function configuration(folder: string, port: number, urls: readonly string[], sessions: number): string {
  const { hostname, port: serverPort, username } = new URL(urls[0] ?? '')
  return `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'userlist.txt')}
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
`
}

function toUser(url: string): string {
  const { username, password } = new URL(url)
  return `"${username}" "${password}"\n`
}
