import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { exitCodes } from '../../core/platform/main-program.ts'
import { readDocument, readTable } from './markdown.ts'
import { runTool, runTools } from '../tools/run-tool.ts'
import { casesOf, itInLongForm } from '../support/runs.ts'

/** Scripts for contributors alone. */
const own = /^(docs|openapi|client|console):/

const projectDir = join(import.meta.dirname, '../..')

/** Every program of ours that package.json names, by the path of its source, and those that are called by their path. */
function listPrograms(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = Object.values(scripts).flatMap((script) => {
    const [, path] = /\bnode (?:-\S+ |tsx )*(\S+\.(?:m?js|ts))$/.exec(script) ?? []
    return path === undefined ? [] : [path.replace(/^dist\/(.*)\.js$/, '$1.ts')]
  })
  const alone = readdirSync(join(projectDir, 'tools')).filter((name) => name.endsWith('.mjs'))
  return [...new Set([...named, ...alone.map((name) => `tools/${name}`)])].sort()
}

/** Starts each program with each option; returns its output and its exit code. */
const start = (programs: readonly string[], options: readonly string[]) =>
  runTools(options.flatMap((option) => programs.map((path) => ({ path, option, args: [option] }))))

describe('every program', function () {
  this.timeout(60_000)
  const programs = listPrograms()
  let runs: Awaited<ReturnType<typeof start>>
  const runsWith = (wanted: string) => runs.filter(({ option }) => option === wanted)

  before(async () => {
    runs = await start(programs, casesOf([], ['--help', '--no-such-option']))
  })

  it('is found in the folders, more than twenty of them', () => {
    expect(programs.length).to.be.at.least(20)
    expect(programs).to.include.members(['api/main.ts', 'local/run.mjs', 'tools/check-stock.ts'])
    expect(programs).to.include.members(['bench/worker/main.ts', 'test/run-model.ts', 'tools/verify.mjs'])
  })

  it('ends with the exit codes that docs/operate/tools.md lists', () => {
    const listed = readTable(readDocument('docs/operate/tools.md'), '## Programs').map(([code]) =>
      Number(code),
    )
    expect(listed).to.deep.equal([...Object.values(exitCodes), 130])
  })

  it('is in docs/operate/tools.md when operators run it, under an existing name', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
    const listed = readTable(readDocument('docs/operate/tools.md'), '## The tools').map(
      ([command = '']) => command,
    )
    const tools = Object.entries(scripts).filter(
      ([name, script]) => /\btools\//.test(script) && !own.test(name),
    )
    expect(listed).to.include.members(tools.map(([name]) => `npm run ${name}`))
  })

  itInLongForm('prints its usage and the meaning of its exit codes with --help, and ends with 0', () => {
    expect(runsWith('--help').map(({ path }) => path)).to.deep.equal(programs)
    for (const { path, code, stdout, stderr } of runsWith('--help')) {
      expect({ path, code, stderr }).to.deep.equal({ path, code: 0, stderr: '' })
      expect(stdout, path).to.match(/^(npm (run \S+|start)|node \S+|npm run --silent \S+)( |$)/m)
      expect(stdout, path).to.match(/^Exit codes:\n {2}0 {2}/m)
      expect(stdout, path).to.match(/^ {2}2 {2}wrong usage: an option, a file or a setting\n {2}3 {2}\w/m)
    }
  })

  itInLongForm('refuses an option that it does not know with exit code 2, before it does anything', () => {
    expect(runsWith('--no-such-option').map(({ path }) => path)).to.deep.equal(programs)
    for (const { path, code, stdout, stderr } of runsWith('--no-such-option')) {
      expect({ path, code, stdout }).to.deep.equal({ path, code: 2, stdout: '' })
      expect(stderr, path).to.match(/^Unknown option '--no-such-option'/)
      expect(stderr, path).to.match(/\n--help shows how to use it\.\n$/)
      expect(stderr, path).not.to.match(/^\s+at /m)
    }
  })

  it('refuses an unknown option as a process of its own too', async () => {
    const run = await runTool('worker/main.ts', ['--no-such-option'])
    expect(run).to.include({ code: 2, stdout: '' })
    expect(run.stderr).to.match(/^Unknown option '--no-such-option'/)
  })
})
