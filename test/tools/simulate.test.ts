import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { createTestEnv } from '../support/config.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { runTool, runTools } from './run-tool.ts'
import { itInLongForm } from '../support/runs.ts'

const seed = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const path = 'tools/simulate.ts'
const simulate = (args: string[], env?: Record<string, string>) => runTool(path, args, env)

describe('npm run simulate', function () {
  this.timeout(60_000)
  let dir: string
  const atEnd = atEndOfSuite()
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'simulate-'))
    atEnd(() => rm(dir, { recursive: true, force: true }))
  })

  let files = 0
  async function fileOf(content: unknown): Promise<string> {
    const file = join(dir, `box-${++files}.json`)
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  it('reports on the documented example and draws from it', async () => {
    const args = ['--file', 'docs/integrate/examples/box.json', '--draws', '50000', '--seed', seed]
    const run = await simulate([...args, '--openings-per-day', '100'])
    expect(run).to.include({ code: 0, stderr: '' })
    expect(run.stdout).to.match(/bicycle +Bicycle +1\/1000 +0\.1\n/)
    expect(run.stdout).to.match(/^Expected cost per opening: 1\.245 EUR$/m)
    expect(run.stdout).to.match(/used up: 0\.75 EUR$/m)
    expect(run.stdout).to.match(/1 +bicycle +5 +5000 +2234\.94 +50 +\d{4}-\d\d-\d\d/)
    expect(run.stdout).to.match(/1 +bicycle +1 +50\.0 +\d+ +[+-]/)
    expect(run.stdout).to.match(/chi-square \d+\.\d\d with 3 degrees of freedom, p-value 0\.\d{4}/)
    expect(run.stdout).not.to.match(/Warnings/)
    const counts = (text: string) => text.slice(text.indexOf('50000 draws'))
    expect(counts((await simulate(args)).stdout)).to.equal(counts(run.stdout))
  })

  itInLongForm('warns, and names the items without a known cost', async () => {
    const entries = [
      { item_id: 'mug', weight: 1 },
      { item_id: 7, weight: 3 },
    ]
    const file = await fileOf({ name: 'B', access: 'granted', entries, fallback_item_id: 7 })
    const run = await simulate(['--file', file, '--draws', '1000'])
    expect(run.code).to.equal(0)
    expect(run.stdout).to.match(/fallback_never_given/)
    expect(run.stdout).to.match(/Without items whose cost is not known: mug, 7\n/)
  })

  itInLongForm('names everything that is wrong with a file', async () => {
    const entry = { item_id: 'mug', weight: 1 }
    const box = { name: 'B', access: 'granted', entries: [entry] }
    const wrong = [
      ['{', [/is not valid JSON: /]],
      ['[]', [/must be a JSON object/]],
      [
        { ...box, name: null, entries: [{ ...entry, weight: 0 }] },
        [/name is required/, /entries\[0\]\.weight/],
      ],
      [{ ...box, entries: [{ ...entry, weight: Number.MAX_SAFE_INTEGER }, entry] }, [/sum to at most/]],
      [{ ...box, entries: [{ ...entry, stock: 1 }], fallback_item_id: 'mug' }, [/must not be an item whose/]],
      [
        { ...box, items: [{ item_id: 'mug', cashback: { amount_minor: 1.5, currency: 'EUR' } }] },
        [/amount_minor/],
      ],
      [{ ...box, items: [{ item_id: 'mug' }, { item_id: 'mug' }] }, [/an item twice/]],
    ] as const
    const starts = wrong.map(async ([content, messages]) => {
      return { path, args: ['--file', await fileOf(content)], content, messages }
    })
    for (const { content, messages, code, stderr } of await runTools(await Promise.all(starts))) {
      expect(code, JSON.stringify(content)).to.equal(2)
      for (const message of messages) expect(stderr).to.match(message)
    }
  })

  itInLongForm('names each problem with the options', async () => {
    const wrong = [
      [[], /either --file, or --casino and --box/],
      [['--casino', 'c'], /either --file, or --casino and --box/],
      [['--file', join(dir, 'none.json')], /none\.json cannot be read \(ENOENT\)/],
      [['--file', 'x', '--draws', '-1'], /--draws/],
      [['--file', 'x', '--openings-per-day', '0'], /--openings-per-day must be/],
      [['--casino', 'c', '--box', 'b'], /DATABASE_URL is required/],
    ] as const
    for (const { args, message, code, stderr } of await runTools(
      wrong.map(([args, message]) => ({ path, args, message })),
    )) {
      expect(code, args.join(' ')).to.equal(2)
      expect(stderr).to.match(message)
    }
    expect((await simulate(['--help'])).stdout).to.match(/npm run simulate/)
  })

  describe('with a database', () => {
    let service: TestService
    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService({ env: await createTestEnv('postgres') })
      atEnd(() => service.stop())
    })

    it('reports on the remaining stock of a published box, and finds no others', async () => {
      const casino = await service.factory.casino()
      const itemId = await service.factory.item(casino.id, { cashback: 300 })
      const boxId = await service.factory.box(casino.id, {
        entries: [{ itemId, weight: 1, stock: 9 }],
        fallbackItemId: itemId,
      })
      await service.database.boxStock.updateMany({ where: { boxId }, data: { remaining: 4 } })
      const env = { DATABASE_URL: service.deps.config.databaseUrl }
      const run = await simulate(['--casino', casino.id, '--box', boxId, '--draws', '500'], env)
      expect(run).to.include({ code: 0, stderr: '' })
      expect(run.stdout).to.match(/version 1, with what is left/)
      expect(run.stdout).to.match(/: 3\.00 EUR$/m)
      expect(run.stdout).to.match(new RegExp(`1 +${itemId} +4 +4 +0`))
      const unknown = await simulate(['--casino', casino.id, '--box', 'none'], env)
      expect(unknown.code).to.equal(2)
      expect(unknown.stderr).to.match(/has no box none/)
    })
  })
})
