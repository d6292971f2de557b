import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { minVersion, satisfies, subset } from 'semver'
import { readDocument } from './markdown.ts'

interface Engines {
  engines?: { node?: string; npm?: string }
}

const manifest = JSON.parse(readDocument('package.json')) as Required<Engines> & {
  devDependencies: Record<string, string>
}
const { packages } = JSON.parse(readDocument('package-lock.json')) as { packages: Record<string, Engines> }
const supported = manifest.engines.node ?? ''
/** That of the oldest Node that we run on; later ones bring later ones. */
const npmMin = '10.8.2'

describe('the versions of Node', () => {
  it('that are supported are the LTS releases from 20.19 on', () => {
    const cases = { '20.18.3': false, '20.19.0': true, '22.13.0': true, '24.0.0': true, '24.99.0': true }
    for (const [version, isSupported] of Object.entries(cases)) {
      expect(satisfies(version, supported), version).to.equal(isSupported)
    }
    expect(manifest.devDependencies['@types/node']).to.match(
      new RegExp(`^${minVersion(supported)?.major ?? 'none'}\\.`),
    )
    expect(readDocument('README.md')).to.contain(`\`${supported}\``)
  })

  it('include the newest LTS release, which the image has, and on which CI therefore runs the tests', () => {
    const bases = [...readDocument('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    const [base = '', ...others] = new Set(bases)
    expect(others).to.deep.equal([])
    // Not only a major version, which would be another one tomorrow.
    const [, inImage = ''] = /^node:(\d+\.\d+\.\d+)-bookworm-slim(?:@sha256:[0-9a-f]{64})?$/.exec(base) ?? []
    expect(satisfies(inImage, supported), base).to.equal(true)
    const [, inCi = ''] = /^node_lts=\$\((sed .+ Dockerfile)\)$/m.exec(readDocument('.ci/run')) ?? []
    expect(execFileSync('sh', ['-c', inCi], { encoding: 'utf8' })).to.equal(`${inImage}\n`)
    expect(readDocument('docs/contribute/versions.md')).to.contain(
      `the short form on ${inImage}, which the image has.`,
    )
  })

  it('are supported by every package in the lockfile, so that npm ci warns about none (EBADENGINE)', () => {
    const named = Object.entries(packages).filter(([, { engines }]) => engines?.node !== undefined)
    expect(named.length).to.be.greaterThan(100)
    const unfit = named.flatMap(([path, { engines = {} }]) => {
      const { node = '*', npm = '*' } = engines
      return subset(supported, node) && subset(`>=${npmMin}`, npm)
        ? []
        : [`${path}: ${JSON.stringify(engines)}`]
    })
    // Optional packages of other platforms are held to it too: none needs an exception.
    expect(unfit).to.deep.equal([])
  })
})
