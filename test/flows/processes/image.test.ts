import { execFile, spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lutimes, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse } from 'yaml'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { findDebianRoot, startInDebianRoot } from '../../support/debian-root.ts'
import { copyContext } from '../../support/dockerfile.ts'
import type { Stage } from '../../support/dockerfile.ts'
import { createUnmigratedDatabase } from '../../support/environment.ts'
import { createFactory, delivery } from '../../support/factory.ts'
import { buildImage, listContents, makeBase } from '../../support/image-build.ts'
import type { Base } from '../../support/image-build.ts'
import { describeInLongForm } from '../../support/runs.ts'
import { drainOutbox } from '../../support/service.ts'
import { makeShippedTree } from '../../support/shipped-tree.ts'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../../..')

/** The scripts that docs/operate tells operators to run where the service runs. */
const operatorsScripts = [
  'archive',
  'audit:verify',
  'keys:rewrap',
  'migrate',
  'start:api',
  'start:manage',
  'start:worker',
  'stock:check',
]

describeInLongForm('the tree that the image ships', function () {
  this.timeout(600_000)
  let folder: string
  /** Undefined without a Debian root: then nothing is contained. */
  let base: Base | undefined
  let image: Stage
  let root: string
  const atEnd = atEndOfSuite()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rewards-image-'))
    atEnd(() => rm(folder, { recursive: true }))
    const debian = findDebianRoot()
    if (debian === undefined) {
      image = await makeShippedTree(folder)
    } else {
      base = await makeBase(debian, folder)
      image = await buildImage(base, project, join(folder, 'image'))
    }
    root = join(image.layer, image.workdir)
  })

  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    NODE_ENV: 'production',
  })
  const makeSettings = async () => ({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: await createUnmigratedDatabase(),
    DRAIN_DELAY_SECONDS: '0',
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
    HASH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `key-1:${randomBytes(32).toString('base64')}`,
  })
  type Settings = Awaited<ReturnType<typeof makeSettings>>
  const open = ({ DATABASE_URL: url }: Settings) =>
    openDatabase({ url, poolMax: 2, log: createLogger('test', 'silent') })
  /** An order, with all that follows, and the pages. */
  const useService = async (url: string, database: Database, { HASH_SECRET: hashSecret }: Settings) => {
    const factory = createFactory(database, hashSecret)
    const casino = await factory.casino()
    const { prizeId, playerId } = await factory.prize(casino.id)
    const order = { player_id: playerId, prize_id: prizeId, ...delivery }
    const client = createClient(url)
    expect((await client.post('/prize/order', casino.apiKey, order)).status).to.equal(200)
    for (const path of ['/readyz', '/docs', '/docs/viewer.js', '/docs/viewer.css', '/openapi.json'])
      expect((await client.send('GET', path)).status, path).to.equal(200)
    await drainOutbox(database)
  }
  const readScripts = async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    return manifest.scripts
  }

  /** The commands of Compose's services; undefined where a service has the image's. */
  async function readComposeCommands(): Promise<Record<string, string | string[] | undefined>> {
    const compose = await readFile(join(project, 'docker-compose.yml'), 'utf8')
    const { services } = parse(compose, { merge: true }) as {
      services: Record<string, { command?: string | string[] }>
    }
    return Object.fromEntries(Object.entries(services).map(([name, { command }]) => [name, command]))
  }

  it('offers the commands that operators are told to run, and none that cannot run there', async () => {
    expect(Object.keys(await readScripts()).sort()).to.deep.equal(operatorsScripts)
  })

  it('has every program that containers are started with', async () => {
    const commands = [...Object.values(await readComposeCommands()), image.command]
    const programs = commands.flatMap((command) =>
      Array.isArray(command) && /(^|\/)node$/.test(command[0] ?? '') ? [command.at(-1) ?? ''] : [],
    )
    expect(programs).to.have.length(5)
    for (const program of programs) expect((await stat(join(root, program))).isFile()).to.equal(true)
  })

  it('has neither development packages nor the drivers of other databases', async () => {
    const packages = await readdir(join(root, 'node_modules'))
    expect(packages).to.include('koa').and.not.to.include.members(['typescript', 'prisma', 'mocha'])
    const files = await readdir(join(root, 'node_modules'), { recursive: true })
    const compilers = files.filter((file) => /query_compiler/.test(file))
    expect(compilers.map((file) => basename(file))).to.have.members([
      'query_compiler_small_bg.postgresql.mjs',
      'query_compiler_small_bg.postgresql.wasm-base64.mjs',
    ])
    const viewer = await readdir(join(root, 'node_modules/swagger-ui-dist'))
    expect(viewer.filter((file) => /\.(js|css|map|html|png)$/.test(file))).to.have.members([
      'swagger-ui-bundle.js',
      'swagger-ui.css',
    ])
  })

  it('is enough to migrate, answer, work, exchange keys and run all other scripts of its package.json', async () => {
    const made = await makeSettings()
    const { ENCRYPTION_KEYS: oldKey } = made
    const settings = { ...env(), ...made }
    const scripts = await readScripts()
    const started = new Set<string>()
    const npmRun = (script: string, more: Record<string, string> = {}, args: string[] = []) => {
      started.add(script)
      return run('npm', ['run', '--silent', script, '--', ...args], {
        cwd: root,
        env: { ...settings, ...more },
      })
    }
    /** As the script does, without npm: test/docs/npm-scripts.test.ts starts services with npm. */
    const startService = (script: string, command: readonly string[], message: string) => {
      expect(scripts[script]).to.contain(command.slice(1).join(' '))
      started.add(script)
      return start(command, settings, message)
    }
    await npmRun('migrate')
    const api = await startService('start:api', image.command, 'API listens')
    const { worker: ofWorker } = await readComposeCommands()
    const worker = await startService('start:worker', [ofWorker ?? []].flat(), 'worker runs')
    const { database, close } = open(made)
    try {
      await useService(api.url, database, made)

      const newKey = `key-2:${randomBytes(32).toString('base64')}`
      await npmRun('keys:rewrap', { ENCRYPTION_KEYS: `${newKey},${oldKey}` })
      const [row] = await database.$queryRaw<{ id: string }[]>`SELECT delivery_key_id AS id FROM prize_order`
      expect(row?.id).to.equal('key-2')
      await npmRun('stock:check')
      await npmRun('audit:verify')
      for (const script of ['archive', 'start:manage'])
        expect((await npmRun(script, {}, ['--help'])).stdout).to.contain(`npm run ${script}`)
      expect([...started].sort()).to.deep.equal(operatorsScripts)
    } finally {
      await close()
      expect(await Promise.all([api.stop(), worker.stop()])).to.deep.equal([0, 0])
    }
  })

  /** Starts a command in the tree, and waits until it says that it runs. */
  async function start(command: readonly string[], settings: NodeJS.ProcessEnv, message: string) {
    const [, ...args] = command
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: settings,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    atEnd(() => child.kill('SIGKILL'))
    return untilItSays(message, child, (signal) => child.kill(signal))
  }

  async function untilItSays(
    message: string,
    child: ChildProcessByStdio<null, Readable, null>,
    signal: (name: NodeJS.Signals) => void,
  ) {
    const exited = once(child, 'exit') as Promise<[number | null]>
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { msg, url = '' } = JSON.parse(line) as { msg: string; url?: string }
        if (msg === message) resolve(url)
      })
      exited.then(() => {
        reject(new Error(`it ended before it said: ${message}`))
      }, reject)
    })
    return {
      url,
      stop: async () => {
        if (child.exitCode === null && child.signalCode === null) signal('SIGTERM')
        return (await exited)[0]
      },
    }
  }

  it('starts, serves and stops in a root that has only Debian and Node: read-only, as process 1, without rights', async function () {
    const below = base ?? this.skip()
    const settings = await makeSettings()
    const startContained = (command: readonly string[]) => {
      const started = startInDebianRoot(below, image, command, settings)
      atEnd(() => started.child.kill('SIGKILL'))
      return started
    }
    const outputOf = async (command: readonly string[]) => {
      const { child } = startContained(command)
      const exited = once(child, 'exit') as Promise<[number | null]>
      const output = await readText(child.stdout)
      return { output, code: (await exited)[0] }
    }
    const attempt = (path: string) =>
      `try { fs.writeFileSync('${path}', '') } catch ({ code }) { said.push(code) }`
    const look = `const said = [process.pid, process.getuid(), process.cwd(), process.env.NODE_ENV]
      ${['/file', '/app/file', '/tmp/file'].map(attempt).join('\n')}
      console.log(JSON.stringify(said))`
    const found = await outputOf(['node', '--eval', look])
    expect(JSON.parse(found.output)).to.deep.equal([1, 1000, '/app', 'production', 'EROFS', 'EROFS', 'EROFS'])
    const { output: version } = await outputOf(['node', '--version'])
    expect(image.base.startsWith(`node:${version.trim().slice(1)}-bookworm-slim`), version).to.equal(true)

    const startProgram = async (program: string, message: string) => {
      const { child, signal } = startContained(image.command.with(-1, program))
      return untilItSays(message, child, signal)
    }
    expect((await outputOf(['node', 'dist/prisma/migrate.js'])).code).to.equal(0)
    const api = await startProgram('dist/api/main.js', 'API listens')
    const worker = await startProgram('dist/worker/main.js', 'worker runs')
    const { database, close } = open(settings)
    try {
      await useService(api.url, database, settings)
    } finally {
      await close()
      expect(await Promise.all([api.stop(), worker.stop()])).to.deep.equal([0, 0])
    }
  })

  it('is built a second time, of files elsewhere with other times and rights, with the same contents', async function () {
    const below = base ?? this.skip()
    const context = join(folder, 'checked-out/elsewhere')
    await mkdir(context, { recursive: true })
    await copyContext(context)
    for (const path of await readdir(context, { recursive: true })) {
      const file = join(context, path)
      // As with umask 077, and one of another day.
      await chmod(file, (await stat(file)).mode & ~0o077)
      await lutimes(file, 1_000_000_000, 1_000_000_000)
    }
    const again = await buildImage(below, context, join(folder, 'image-again'))
    const [first, second] = await Promise.all([image, again].map(({ layer }) => listContents(layer)))
    expect(first?.size).to.be.greaterThan(1_000)
    const paths = new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])
    const differing = [...paths].filter((path) => first?.get(path) !== second?.get(path))
    expect(differing.slice(0, 20)).to.deep.equal([])
  })

  it('installs without development packages: nothing is built then, and npm says so', async () => {
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      scripts: { prepare: string }
    }
    // As npm does at the end of an installation, in a folder that has no tool of ours.
    const { stdout } = await run('sh', ['-c', scripts.prepare], { cwd: root, env: env() })
    expect(stdout).to.match(/^Nothing is built: .*npm ci without --omit=dev builds\.\n$/)
  })
})
