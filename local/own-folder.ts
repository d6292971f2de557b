import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localServiceFile } from '../core/platform/local-service.ts'
import { findRunningPostgres } from './postgres.ts'
import { findFileText, writePrivateFile } from './private-file.ts'
import { endProcess, findCommandLine } from './process-table.ts'
import { findRunningRedis } from './redis.ts'
import { ownerMark } from './service.ts'

/** Where everything is that `npm start` keeps. */
export interface Paths {
  root: string
  postgres: string
  redis: string
  logs: string
  secrets: string
  demoKey: string
  demoPassword: string
  demoColleaguePassword: string
  service: string
}

/** The folder while it is ours alone. */
export interface OwnFolder {
  paths: Paths
  /** Notes a process that the next start has to end, unless another process has done so. */
  noteService: (pid: number) => Promise<void>
  /** Writes down the services' settings for tools that are started with `--local`; they are gone after `release`. */
  noteSettings: (settings: Record<string, string>) => Promise<void>
  release: () => Promise<void>
}

/** As long as a service and a server need to stop in order. */
const endWaitMs = 20_000

/**
 * Takes the folder for this process. Rejects when another `npm start` uses it. Processes that a killed one has left
 * behind are ended: no process looks after them, and ours would collide with them.
 */
export async function takeFolder(root: string): Promise<OwnFolder> {
  // Others may search it, not list it: PostgreSQL may run as another user and has its data in here.
  await mkdir(root, { recursive: true, mode: 0o711 })
  const paths: Paths = {
    root,
    postgres: join(root, 'postgres'),
    redis: join(root, 'redis'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    demoKey: join(root, 'demo-key'),
    demoPassword: join(root, 'demo-password'),
    demoColleaguePassword: join(root, 'demo-colleague-password'),
    service: join(root, localServiceFile),
  }
  await mkdir(paths.logs, { recursive: true, mode: 0o700 })
  const lockFile = join(root, 'start.pid')
  await endLeftovers(lockFile, paths)
  const pids = [process.pid]
  const note = (flag: 'w' | 'wx') => writeFile(lockFile, pids.map((pid) => `${pid}\n`).join(''), { flag })
  await note('wx').catch(() => {
    throw new Error(`another npm start has just begun to use ${root}`)
  })
  return {
    paths,
    noteService: async (pid) => {
      pids.push(pid)
      await note('w')
    },
    noteSettings: (settings) => writePrivateFile(paths.service, `${JSON.stringify(settings, null, 2)}\n`),
    release: async () => {
      await rm(paths.service, { force: true })
      await rm(lockFile, { force: true })
    },
  }
}

async function endLeftovers(lockFile: string, paths: Paths): Promise<void> {
  const text = await findFileText(lockFile)
  const [starter, ...started] = (text ?? '').split('\n').filter(Boolean).map(Number)
  if (starter !== undefined && starter !== process.pid) {
    if ((await findCommandLine(starter))?.includes('local/run.mjs')) {
      throw new Error(
        `another npm start runs on ${paths.root} (process ${starter}): stop it, or set LOCAL_DIR and PORT`,
      )
    }
  }
  for (const pid of started) {
    const command = await findCommandLine(pid)
    if (command?.endsWith(ownerMark(paths.root))) await end('service', pid, 'SIGTERM')
  }
  await end('Redis', await findRunningRedis(paths.redis), 'SIGTERM')
  await end('PostgreSQL', await findRunningPostgres(paths.postgres), 'SIGINT')
  await rm(paths.service, { force: true })
  await rm(lockFile, { force: true })
}

async function end(name: string, pid: number | undefined, signal: NodeJS.Signals): Promise<void> {
  if (pid === undefined || (await endProcess(pid, signal, endWaitMs))) return
  throw new Error(`the ${name} process ${pid} that an earlier start has left cannot be ended`)
}
