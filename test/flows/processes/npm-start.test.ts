import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findFreePort } from '../../../local/free-port.ts'
import { findRedisServer } from '../../../local/redis.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { needProgram } from '../../support/need-program.ts'
import { casesOf, itInLongForm } from '../../support/runs.ts'
import { followQuickStart } from '../../docs/follow-quick-start.ts'
import { followReadme } from '../../docs/follow-readme.ts'
import { expectLifeOnEveryPage } from '../../local/console-lists.ts'
import { runTool } from '../../tools/run-tool.ts'
import {
  findProcessesOf,
  makeLocalDir,
  makePathWithoutRedis,
  removeLocalDir,
  runStart,
} from '../../local/run-start.ts'
import type { StartRun } from '../../local/run-start.ts'

const everythingRuns = 'Ctrl-C stops everything'

interface Answer {
  status: string
  message: string
  prize?: { id: string }
}

/** The requests exactly as they are printed, for a shell. */
function printedRequests(output: string): string[] {
  return output.match(/^curl (?:.*\\\n)*.*$/gm) ?? []
}

async function runRequest(request: string): Promise<Answer> {
  const { stdout } = await promisify(execFile)('bash', ['-c', request])
  return JSON.parse(stdout) as Answer
}

const demoKeyIn = (output: string) => /^ {2}Demo key +(\S+)/m.exec(output)?.[1]

async function expectNothingIsLeft(localDir: string): Promise<void> {
  expect(await findProcessesOf(localDir)).to.deep.equal([])
}

async function findPid(localDir: string, part: string): Promise<number> {
  const found = (await findProcessesOf(localDir)).find(({ command }) => command.includes(part))
  if (found === undefined) throw new Error(`no process of ${part}`)
  return found.pid
}

/** Where the queues can be on this machine. What does not depend on that is tested on the first one alone. */
const backends = findRedisServer() === undefined ? ['PostgreSQL'] : casesOf(['Redis'], ['PostgreSQL'])

for (const backend of backends) {
  const isFirst = backend === backends[0]
  describe(`npm start with the queues on ${backend}`, function () {
    this.timeout(120_000)
    let localDir: string
    let env: Record<string, string>
    let run: StartRun
    let adminKey: string
    const atEnd = atEndOfSuite()
    const start = async () => {
      run = runStart(env)
      const { terminate, ended } = run
      atEnd(async () => {
        terminate()
        await ended
      })
      await run.printed(everythingRuns)
    }

    before(async function () {
      for (const name of ['curl', 'bash']) needProgram(this, [name], name)
      const searchPath = backend === 'PostgreSQL' ? await makePathWithoutRedis() : undefined
      if (searchPath !== undefined) atEnd(() => rm(searchPath, { recursive: true }))
      localDir = await makeLocalDir()
      atEnd(async () => {
        await expectNothingIsLeft(localDir)
        await removeLocalDir(localDir)
      })
      env = {
        LOCAL_DIR: localDir,
        PORT: String(await findFreePort()),
        SHUTDOWN_TIMEOUT_SECONDS: '3',
        ...(searchPath === undefined ? {} : { PATH: searchPath }),
      }
      await start()
      const secrets = JSON.parse(await readFile(join(localDir, 'secrets.json'), 'utf8')) as {
        ADMIN_API_KEY: string
      }
      adminKey = secrets.ADMIN_API_KEY
    })

    it('says in one line where the queues are, and why', () => {
      const line = /^ {2}Queues +(.*)$/m.exec(run.output())?.[1]
      if (backend === 'Redis') expect(line).to.match(/^Redis, a private (redis|valkey)-server$/)
      else expect(line).to.contain('PostgreSQL, because no redis-server')
    })

    it('prints three requests that work unchanged', async () => {
      const requests = printedRequests(run.output())
      expect(requests).to.have.length(3)
      const messages: string[] = []
      for (const request of requests) {
        const answer = await runRequest(request)
        expect(answer.status).to.equal('success')
        messages.push(answer.message)
      }
      expect(messages).to.deep.equal([
        'Box opened successfully',
        'Prize order recorded. Awaiting confirmation for shipment.',
        'Cashback decision recorded',
      ])
    })

    it('runs a worker that credits the cashback', async () => {
      const balanceUrl = `http://127.0.0.1:${env['PORT'] ?? ''}/admin/casinos/demo/players/player-1/balance`
      await eventually('the balance shows the cashback', async () => {
        const answer = await fetch(balanceUrl, { headers: { Authorization: `Bearer ${adminKey}` } })
        return (await answer.text()).includes('1000')
      })
    })

    it('prints the address of its console, and how to sign in to it', async () => {
      const url = `http://127.0.0.1:${env['PORT'] ?? ''}`
      const passwordFile = join(localDir, 'demo-password')
      expect(run.output()).to.contain(
        `Console    ${url}/ops (sign in as maria; the password is in ${passwordFile})`,
      )
      const signIn = (password: string) =>
        fetch(`${url}/ops/login`, {
          method: 'POST',
          body: new URLSearchParams({ username: 'maria', password }),
          redirect: 'manual',
        })
      const [signedIn, refused] = [
        await signIn((await readFile(passwordFile, 'utf8')).trim()),
        await signIn('another password'),
      ]
      expect([signedIn.status, refused.status]).to.deep.equal([303, 401])
      const [cookie = ''] = signedIn.headers.getSetCookie()
      const session = await fetch(`${url}/admin/session`, {
        headers: { Cookie: cookie.split(';', 1).join() },
      })
      expect(await session.text()).to.contain('"role":"admin"')
    })

    it('has examples on the work list of its console', async () => {
      const url = `http://127.0.0.1:${env['PORT'] ?? ''}`
      const waiting = [
        'order_unconfirmed',
        'order_held',
        'order_exception',
        'endpoint_failing',
        'act_pending_approval',
      ]
      const hasWork = (casinoId: string, kinds: string[]) =>
        eventually(`all of it waits in ${casinoId}`, async () => {
          const answer = await fetch(`${url}/admin/work?casino_id=${casinoId}`, {
            headers: { Authorization: `Bearer ${adminKey}` },
          })
          const text = await answer.text()
          return kinds.every((kind) => text.includes(`"${kind}"`))
        })
      await hasWork('demo', waiting)
      await hasWork('demo-wallet', ['cashback_unknown', 'setting_paused', 'endpoint_failing'])
      const endpoint = await fetch(`${url}/admin/casinos/demo-wallet/webhook-endpoints/retired`, {
        headers: { Authorization: `Bearer ${adminKey}` },
      })
      expect(await endpoint.text()).to.contain('"disabled_reason":"gone"')
    })

    it('has something to show in every list of its console', async () => {
      const ask = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${env['PORT'] ?? ''}${path}`, {
          headers: { Authorization: `Bearer ${adminKey}` },
        })
        return { status: answer.status, data: ((await answer.json()) as { data?: unknown }).data }
      }
      await expectLifeOnEveryPage(ask)
      const versions = (await ask('/admin/casinos/demo/boxes/daily-box/versions')).data
      expect(versions, 'versions, whose differences the console shows').to.have.length.above(1)
      await eventually('one act has run, and one waits for a second person', async () => {
        const acts = (await ask('/admin/casinos/demo/acts')).data as { state: string }[]
        return ['done', 'pending_approval'].every((state) => acts.some((act) => act.state === state))
      })
    })

    it('has a dashboard whose page and program can be loaded', async () => {
      const load = (path: string) =>
        fetch(new URL(path, `http://127.0.0.1:${env['PORT'] ?? ''}/ops/queues/`), {
          headers: { Authorization: `Bearer ${adminKey}` },
        })
      const page = await (await load('/ops/queues')).text()
      const [, program = ''] = /<script [^>]*src="([^"]+\.js)"/.exec(page) ?? []
      const loaded = await load(program)
      expect(loaded.status, page).to.equal(200)
      expect(loaded.headers.get('Content-Type')).to.contain('javascript')
    })

    it('has a documentation page with its program, to which its root leads', async () => {
      const url = `http://127.0.0.1:${env['PORT'] ?? ''}`
      const page = await fetch(url)
      expect([page.status, page.url]).to.deep.equal([200, `${url}/docs`])
      expect((await fetch(`${url}/docs/viewer.js`)).status).to.equal(200)
    })

    it('keeps its secrets from other users', async () => {
      const passwordFiles = ['demo-password', 'demo-colleague-password']
      await eventually('the colleague is made', () => existsSync(join(localDir, 'demo-colleague-password')))
      for (const file of ['secrets.json', 'service.json', 'demo-key', ...passwordFiles, 'logs/api.log']) {
        expect((await stat(join(localDir, file))).mode & 0o077, file).to.equal(0)
      }
      const secrets = [
        demoKeyIn(run.output()) ?? '',
        ...(await Promise.all(
          passwordFiles.map(async (file) => (await readFile(join(localDir, file), 'utf8')).trim()),
        )),
        ...(await readFile(join(localDir, 'postgres/password'), 'utf8')).trim().split('\n'),
      ]
      for (const { command } of await findProcessesOf(localDir)) {
        for (const secret of secrets) expect(command).not.to.contain(secret)
      }
    })

    itInLongForm('lets the tools work on it with --local, whatever else the environment names', async () => {
      const elsewhere = {
        LOCAL_DIR: localDir,
        DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:1/elsewhere',
        HASH_SECRET: 'another-secret-than-the-one-that-is-used-here',
        ENCRYPTION_KEYS: `other:${Buffer.alloc(32).toString('base64')}`,
      }
      const runLocal = (path: string, ...args: string[]) => runTool(path, ['--local', ...args], elsewhere)
      const stock = await runLocal('tools/check-stock.ts', '--casino', 'demo')
      expect(stock).to.deep.equal({ code: 0, stdout: '', stderr: '1 casinos, 0 differences\n' })
      const keys = await runLocal('tools/rewrap-keys.ts')
      expect(keys.code, keys.stderr).to.equal(0)
      expect(keys.stdout).to.match(/^\d+ data keys rewrapped\nlocal: \d+ /)
      await eventually('the worker has chained what the tools did', async () =>
        /"casinoId":"".*"msg":"audit trail chained"/.test(
          await readFile(join(localDir, 'logs/worker.log'), 'utf8'),
        ),
      )
      const audit = await runLocal('tools/verify-audit.ts')
      expect(audit.code, audit.stdout + audit.stderr).to.equal(0)
      expect(audit.stdout).to.match(/^\(the service\): [1-9]/m)
      const box = await runLocal(
        'tools/simulate.ts',
        '--casino',
        'demo',
        '--box',
        'welcome-box',
        '--draws',
        '1000',
      )
      expect(box.code, box.stderr).to.equal(0)
      expect(box.stdout).to.match(/^welcome-box of demo, version 1, /)
    })

    itInLongForm('answers with openings that the verifier reads', async () => {
      const openingsUrl = `http://127.0.0.1:${env['PORT'] ?? ''}/fairness/openings?player_id=player-1`
      const headers = { Authorization: `Bearer ${demoKeyIn(run.output()) ?? ''}` }
      const evidence = join(localDir, 'evidence.jsonl')
      await writeFile(evidence, await (await fetch(openingsUrl, { headers })).text())
      const verdict = await runTool('tools/verify.mjs', ['--complete', evidence])
      expect(verdict).to.include({ code: 1, stdout: '0 verified, 1 not verified\n' })
      expect(verdict.stderr).to.contain('not revealed yet')
    })

    it('refuses a second start on the same data with one line', async () => {
      const { code, lines } = await runStart({ ...env, PORT: String(await findFreePort()) }).ended
      expect(code).to.equal(3)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.match(/^Another npm start runs on .+ \(process \d+\)/)
    })

    it('ends all parts in order on Ctrl-C', async () => {
      run.pressCtrlC()
      const { code } = await run.ended
      expect(code).to.equal(0)
      await expectNothingIsLeft(localDir)
      const tool = await runTool('tools/check-stock.ts', ['--local'], { LOCAL_DIR: localDir })
      expect(tool.code).to.equal(2)
      expect(tool.stderr).to.contain(`no npm start runs with the folder ${localDir}: start it first`)
      expect(await readFile(join(localDir, 'logs/postgres.log'), 'utf8')).to.contain(
        'database system is shut down',
      )
      for (const service of ['api', 'worker']) {
        expect(await readFile(join(localDir, `logs/${service}.log`), 'utf8')).to.contain('"msg":"stopped"')
      }
    })

    itInLongForm('has the same key, the same data and usable requests on the next start', async () => {
      const before = run.output()
      await start()
      expect(demoKeyIn(run.output())).to.equal(demoKeyIn(before))
      expect((await runRequest(printedRequests(before)[1] ?? '')).message).to.equal(
        'Prize not found or unavailable for order', // ordered before the restart
      )
      for (const request of printedRequests(run.output())) {
        expect((await runRequest(request)).status).to.equal('success')
      }
    })

    if (isFirst) {
      itInLongForm('ends all parts when npm is told to end', async () => {
        run.terminate()
        expect((await run.ended).code).to.equal(0)
        await expectNothingIsLeft(localDir)
      })

      it('answers the requests in README.md as printed, and carries them out', async () => {
        await start()
        await followReadme(env)
      })

      it('takes a reader of docs/integrate/quick-start.md to a first webhook', async () => {
        await followQuickStart(env)
      })

      itInLongForm('leaves nothing running when it is killed', async () => {
        const starter = Number.parseInt(await readFile(join(localDir, 'start.pid'), 'utf8'))
        process.kill(starter, 'SIGKILL')
        await run.ended
        await eventually(
          'all parts have ended',
          async () => (await findProcessesOf(localDir)).length === 0,
          30_000,
        )
      })

      itInLongForm(
        'starts again on the same data after it was killed, and answers the requests in README.md again',
        async () => {
          await start()
          await followReadme(env)
        },
      )
    }

    const database = ['PostgreSQL', 'postgres -D']
    const others = [
      ['The worker', '/worker.mjs'],
      database,
      ...(backend === 'Redis' ? [['Redis', 'redis.conf']] : []),
    ]
    const parts = casesOf(isFirst ? [['The API', '/api.mjs']] : [], isFirst ? others : [database])
    for (const [name = '', part = ''] of parts) {
      it(`says so in one line and ends the rest when a part dies: ${name}`, async () => {
        if (/^Stopping|ended unexpectedly/m.test(run.output())) await start()
        process.kill(await findPid(localDir, part), 'SIGKILL')
        const { code, lines } = await run.ended
        expect(code).to.equal(3)
        expect(lines.at(-1)).to.match(
          new RegExp(`^${name} ended unexpectedly \\(signal SIGKILL\\); its log is .+\\.log$`),
        )
        await expectNothingIsLeft(localDir)
      })
    }
  })
}

describe('npm start that cannot start', function () {
  this.timeout(30_000)
  let localDir: string

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    localDir = await makeLocalDir()
    atTestEnd(async () => {
      await expectNothingIsLeft(localDir)
      await removeLocalDir(localDir)
    })
  })

  it('says in one line that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, lines } = await runStart({ LOCAL_DIR: localDir, PORT: String(port) }).ended
    other.close()
    expect(lines).to.deep.equal([`Port ${port} is taken: stop what uses it, or set PORT to another one`])
    expect(code).to.equal(3)
  })

  it('names every bad variable in one line, without its value', async () => {
    const { code, lines } = await runStart({
      LOCAL_DIR: localDir,
      PORT: '99999',
      REDIS_URL: 'secret-that-is-no-url',
    }).ended
    expect(lines).to.have.length(1)
    expect(lines[0]).to.match(/^Bad configuration: .*PORT.*; .*REDIS_URL/)
    expect(lines[0]).not.to.contain('secret-that')
    expect(code).to.equal(2)
  })

  it('says in one line that a given database does not answer', async () => {
    const { code, lines } = await runStart({
      LOCAL_DIR: localDir,
      PORT: String(await findFreePort()),
      DATABASE_URL: `postgresql://nobody:hidden@127.0.0.1:${await findFreePort()}/none`,
    }).ended
    expect(lines).to.have.length(1)
    expect(lines[0]).to.match(
      /^The database cannot be reached: nothing listens at the address in DATABASE_URL$/,
    )
    expect(lines[0]).not.to.contain('hidden')
    expect(code).to.equal(3)
  })
})
