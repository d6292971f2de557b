import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { findOnPath } from '../../local/find-on-path.ts'

/** One run of `npm start`, as a person at a terminal has it. */
export interface StartRun {
  /** Everything printed so far. */
  output: () => string
  /** Resolves when the text has been printed; rejects when the run ends without it. */
  printed: (text: string) => Promise<void>
  /** As a terminal does on Ctrl-C: to every process of the group. */
  pressCtrlC: () => void
  /** To npm alone, as the user who started it would. */
  terminate: () => void
  /** The exit code, and the lines that are not npm's own. */
  ended: Promise<{ code: number | null; lines: string[] }>
}

const projectDir = join(import.meta.dirname, '../..')
const startBoundMs = 60_000

/** Runs `npm start` with nothing of our environment but the search path. */
export function runStart(env: Record<string, string>): StartRun {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: projectDir,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let hasEnded = false
  const ended = new Promise<{ code: number | null; lines: string[] }>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true
      const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm '))
      resolve({ code, lines })
    })
  })
  const pid = child.pid ?? 0
  return {
    output: () => output,
    printed: async (text) => {
      await eventually(
        `"${text}" is printed`,
        () => {
          if (hasEnded) throw new Error(`npm start ended:\n${output}`)
          return output.includes(text)
        },
        startBoundMs,
      )
    },
    pressCtrlC: () => {
      if (!hasEnded) process.kill(-pid, 'SIGINT')
    },
    terminate: () => {
      if (!hasEnded) process.kill(pid, 'SIGTERM')
    },
    ended,
  }
}

/** A new folder for LOCAL_DIR; its name stands in the command line of whatever `npm start` starts on it. */
export async function makeLocalDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rewards-start-'))
  await chmod(folder, 0o711) // otherwise root's PostgreSQL would have its data elsewhere, under another name
  return folder
}

export async function removeLocalDir(localDir: string): Promise<void> {
  await rm(localDir, { recursive: true, force: true })
}

export interface ProcessOf {
  pid: number
  command: string
}

/** The running processes that work on the folder. */
export async function findProcessesOf(localDir: string): Promise<ProcessOf[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })),
  )
  return all.filter(({ command }) => command.includes(localDir))
}

/** A folder to use as PATH that has all that `npm start` needs, and no redis-server. */
export async function makePathWithoutRedis(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rewards-path-'))
  for (const name of ['node', 'npm', 'sh', 'id', 'bash', 'curl']) {
    const found = findOnPath(name)
    if (found !== undefined) await symlink(found, join(folder, name))
  }
  return folder
}
