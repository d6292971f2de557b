import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** The folder of a Debian that CI makes with debootstrap: it has nothing but Debian's base. */
const variable = 'TEST_DEBIAN_ROOT'

/** The user `node` of the image. */
const user = 1000

/**
 * The mounts of a container: Debian as the root, the program that runs Node in its place, and `/app`. All of them are
 * read-only, and gone with the process. It dies with `unshare`: that is asked for after the change of the user, which
 * would clear it.
 */
const script = `
  set -e
  debian=$1 app=$2 node=$3
  shift 3
  mkdir -p "$debian/app"
  touch "$debian/usr/local/bin/node"
  mount --bind "$debian" "$debian"
  mount --bind "$app" "$debian/app"
  mount --bind "$node" "$debian/usr/local/bin/node"
  mount -t proc proc "$debian/proc"
  for place in "$debian/usr/local/bin/node" "$debian/app" "$debian"; do mount -o remount,bind,ro "$place"; done
  exec /usr/sbin/chroot "$debian" /usr/bin/setpriv --reuid=${user} --regid=${user} --clear-groups --pdeathsig=KILL \\
    /usr/bin/env --chdir=/app "$@"
`

/** That folder. Without it, CI fails, and elsewhere the suite is left out: making one takes root and Debian's packages. */
export function needDebianRoot(context: Mocha.Context): string {
  const folder = process.env[variable]
  if (folder !== undefined) return folder
  if (process.env['CI'] === 'true') throw new Error(`CI needs ${variable}: .ci/run makes it`)
  return context.skip()
}

export interface ContainedProcess {
  child: ChildProcessByStdio<null, Readable, null>
  /** Signals the process itself, which is process 1 of its own. */
  signal: (name: NodeJS.Signals) => void
}

/** Starts a command as a container does: in a read-only root, as its process 1, as a user without rights. */
export function startInDebianRoot(
  debian: string,
  app: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ContainedProcess {
  const isolated = ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh']
  const child = spawn('unshare', [...isolated, debian, app, process.execPath, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    child,
    signal: (name) => {
      const { pid } = child
      const own = Number(readFileSync(`/proc/${pid ?? 0}/task/${pid ?? 0}/children`, 'utf8').trim())
      // 0 would be this process and all that belong to it.
      if (!(own > 0)) throw new Error('the process has ended')
      process.kill(own, name)
    },
  }
}
