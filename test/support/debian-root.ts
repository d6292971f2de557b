import { execFile, spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Stage } from './dockerfile.ts'

const run = promisify(execFile)

/** The folder of a Debian that CI makes with debootstrap: it has Debian's base, and the library that Node needs. */
const variable = 'TEST_DEBIAN_ROOT'

/** As in an image. */
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** That folder; undefined without one, which in CI is an error. Making one takes root and Debian's packages. */
export function findDebianRoot(): string | undefined {
  const folder = process.env[variable]
  if (folder === undefined && process.env['CI'] === 'true')
    throw new Error(`CI needs ${variable}: .ci/run makes it`)
  return folder
}

/** A file or folder of this machine, and its place in the root. */
export type Loan = readonly [from: string, to: string]

/**
 * The mounts of a step: the layers below, the stage's own on top, which takes all that is written, and a `/run` outside
 * of it, with the loans of this machine.
 */
const stepScript = `
  set -e
  root=$1 below=$2 layer=$3
  shift 3
  mount -t overlay overlay -o "lowerdir=$below,upperdir=$layer,workdir=$layer.work" "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs tmpfs "$root/run"
  while [ "$1" != -- ]; do
    if [ -d "$1" ]; then mkdir -p "$root$2"; else touch "$root$2"; fi
    mount --bind "$1" "$root$2"
    shift 2
  done
  shift
  exec /usr/sbin/chroot "$root" /usr/bin/env "$@"
`

/** Runs a step of the Dockerfile as root, on the layers `below` the stage's own, the highest first. */
export async function runStepInDebianRoot(
  below: readonly string[],
  { layer, workdir, env, user }: Stage,
  step: string,
  loans: readonly Loan[],
  moreEnv: Readonly<Record<string, string>>,
): Promise<void> {
  if (user !== 'root') throw new Error(`a step of another user than root: ${step}`)
  const root = `${layer}.root`
  for (const folder of [root, `${layer}.work`]) await mkdir(folder, { recursive: true })
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', stepScript, 'sh']
  const command = [`--chdir=${workdir}`, 'sh', '-c', step]
  await run('unshare', [...isolated, root, below.join(':'), layer, ...loans.flat(), '--', ...command], {
    env: { PATH: path, HOME: '/root', ...moreEnv, ...env },
    maxBuffer: 10_000_000,
  })
}

/**
 * The mounts of a container: the layers as its root, all of it read-only, and gone with the process. It dies with
 * `unshare`: that is asked for after the change of the user, which would clear it.
 */
const containerScript = `
  set -e
  root=$1 layers=$2 user=$3 workdir=$4
  shift 4
  mount -t overlay overlay -o "ro,lowerdir=$layers" "$root"
  mount -t proc proc "$root/proc"
  exec /usr/sbin/chroot "$root" /usr/bin/setpriv --reuid="$user" --regid="$user" --clear-groups --pdeathsig=KILL \\
    /usr/bin/env --chdir="$workdir" "$@"
`

export interface ContainedProcess {
  child: ChildProcessByStdio<null, Readable, null>
  /** Signals the process itself, which is process 1 of its own. */
  signal: (name: NodeJS.Signals) => void
}

/** Starts a command as a container of the image does: in a read-only root, as its process 1, as the image's user. */
export function startInDebianRoot(
  below: readonly string[],
  image: Stage,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ContainedProcess {
  const isolated = ['--mount', '--pid', '--fork', 'sh', '-c', containerScript, 'sh']
  const layers = [image.layer, ...below].join(':')
  const place = [join(image.layer, '..', 'root'), layers, image.user, image.workdir]
  const child = spawn('unshare', [...isolated, ...place, ...command], {
    env: { PATH: path, ...image.env, ...env },
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
