import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { DrawInput } from '../../../core/fairness/derive.ts'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { draw } from '../../../tools/verify.mjs'
import { runTool, runTools } from '../../tools/run-tool.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { itInLongForm } from '../../support/runs.ts'

const verifierDraw = draw as (seed: Uint8Array, input: DrawInput, weights: number[]) => number

interface Manifest {
  count: number
  seed: string
  weights: number[]
  files: { name: string; bytes: number; sha256: string }[]
}

const seed = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'

describe('npm run rng:export', () => {
  let dir: string
  const atEnd = atEndOfSuite()
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rng-export-'))
    atEnd(() => rm(dir, { recursive: true, force: true }))
  })

  const exportTo = (name: string, ...args: string[]) =>
    runTool('tools/rng/export.ts', ['--out', join(dir, name), ...args])

  it('writes the draws of the auditors’ program, in files that belong together', async () => {
    const count = 12_345
    const run = await exportTo('one', '--count', String(count), '--seed', seed, '--weights', '5,7,1,20')
    expect(run).to.include({ code: 0, stderr: '' })
    const manifest = JSON.parse(await readFile(join(dir, 'one/manifest.json'), 'utf8')) as Manifest
    expect(manifest).to.deep.include({ count, seed, weights: [5, 7, 1, 20] })
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = await readFile(join(dir, 'one', name))
      expect(content.length, name).to.equal(bytes)
      expect(createHash('sha256').update(content).digest('hex'), name).to.equal(sha256)
    }
    const raw = await readFile(join(dir, 'one/raw.bin'))
    const [tickets, entries] = await Promise.all(
      ['tickets.txt', 'entries.txt'].map(async (name) =>
        (await readFile(join(dir, 'one', name), 'utf8')).trim().split('\n').map(Number),
      ),
    )
    expect([raw.length / 8, tickets?.length, entries?.length]).to.deep.equal([count, count, count])
    for (let place = 0; place < count; place += 97) {
      const playerId = `simulated-${(place % 1_000) + 1}`
      const opening = { playerId, nonce: BigInt(Math.floor(place / 1_000) + 1), clientSeed: null }
      expect(entries?.[place]).to.equal(verifierDraw(Buffer.from(seed, 'hex'), opening, [5, 7, 1, 20]))
      const ends = [5, 12, 13, 33]
      expect(entries?.[place]).to.equal(ends.findIndex((end) => (tickets?.[place] ?? 99) < end) + 1)
      // The sum is 33: six bits are taken, and the number is the ticket unless they are too large.
      const leading = Number(raw.readBigUInt64BE(place * 8) >> 58n)
      if (leading < 33) expect(tickets?.[place]).to.equal(leading)
    }
  })

  it('writes the same files from the same seed, and different ones from another', async () => {
    const rawOf = (name: string) => readFile(join(dir, name, 'raw.bin'))
    await exportTo('a', '--count', '50', '--seed', seed)
    await exportTo('b', '--count', '50', '--seed', seed)
    await exportTo('c', '--count', '50')
    expect((await rawOf('a')).equals(await rawOf('b'))).to.equal(true)
    expect((await rawOf('a')).equals(await rawOf('c'))).to.equal(false)
  })

  it('overwrites no file', async () => {
    const before = await readFile(join(dir, 'a/manifest.json'), 'utf8')
    const run = await exportTo('a', '--count', '50')
    expect(run.code).to.equal(2)
    expect(run.stderr).to.match(/nothing is overwritten/)
    expect(await readFile(join(dir, 'a/manifest.json'), 'utf8')).to.equal(before)
  })

  it('names each problem with the options, and then writes nothing', async () => {
    const wrong = [
      [['--count', '0'], /--count must be a whole number/],
      [['--count', '1e3'], /--count must be a whole number/],
      [[], /--count must say/],
      [['--count', '5', '--weights', '1,,2'], /--weights must be/],
      [['--count', '5', '--weights', '9007199254740991,1'], /--weights must be/],
      [['--count', '5', '--seed', 'abc'], /--seed must be 64/],
      [['--count', '5', '--speed', '9'], /--speed/],
    ] as const
    const starts = wrong.map(([args, message]) => ({
      path: 'tools/rng/export.ts',
      args: ['--out', join(dir, 'wrong'), ...args],
      message,
    }))
    for (const { args, message, code, stderr } of await runTools(starts)) {
      expect(code, args.join(' ')).to.equal(2)
      expect(stderr).to.match(message)
    }
    expect(await readdir(dir)).not.to.include('wrong')
    const nowhere = await exportTo('no/where', '--count', '5')
    expect(nowhere.stderr).to.match(/cannot be written to \(ENOENT\)/)
  }).timeout(60_000)
})

describe('npm run rng:test', () => {
  itInLongForm('prints every test with its verdict', async () => {
    const run = await runTool('tools/rng/test.ts', ['--draws', '200000', '--seed', seed])
    expect(run).to.include({ code: 0, stderr: '' })
    expect(run.stdout).to.match(/raw: serial correlation at lag 1000 +199000 +z = -?\d/)
    expect(run.stdout).to.match(/0 of 26 tests rejected/)
  })

  itInLongForm('refuses fewer draws than the tests need', async () => {
    const run = await runTool('tools/rng/test.ts', ['--draws', '199999'])
    expect(run.code).to.equal(2)
    expect(run.stderr).to.match(/--draws must be a whole number from 200000/)
  })
})
