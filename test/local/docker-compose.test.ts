import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { secretNames } from '../../core/platform/config-variables.ts'
import { findOnPath } from './run-start.ts'

const services = ['api', 'manage', 'worker', 'migrate', 'postgres', 'redis']

describe('docker-compose.yml', function () {
  this.timeout(30_000)
  let config: string

  before(async function () {
    if (findOnPath('docker-compose') === undefined) {
      process.stdout.write('No docker-compose on the PATH: docker-compose.yml is not checked.\n')
      this.skip()
    }
    const { stdout } = await promisify(execFile)('docker-compose', ['config'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], SECRETS_DIR: '/somewhere/else' },
    })
    config = stdout
  })

  /** What is said about a service. */
  const bodyOf = (service: string) => {
    const [, body] = new RegExp(`^  ${service}:\\n((?:    .*\\n)*)`, 'm').exec(config) ?? []
    if (body === undefined) throw new Error(`there is no ${service}`)
    return body
  }

  it('is valid, has all services, and a Redis that drops no jobs', () => {
    for (const service of services) expect(config).to.match(new RegExp(`^  ${service}:$`, 'm'))
    expect(config).to.contain('noeviction')
  })

  it('hands every secret over as a file that the service has, and none by value', () => {
    let count = 0
    for (const service of services) {
      const body = bodyOf(service)
      const mounted = [...body.matchAll(/- source: (\w+)/g)].map(([, name]) => name)
      for (const [, , name] of body.matchAll(/(\w+_FILE: |cat )\/run\/secrets\/(\w+)/g)) {
        expect(mounted, service).to.include(name)
        count += 1
      }
      for (const name of secretNames) expect(body, service).not.to.match(new RegExp(`\\b${name}:`))
      expect(body, service).not.to.match(/:\/\/\w+:|PASSWORD: /)
    }
    expect(count).to.be.greaterThan(12)
  })

  it('gives the migration no secrets but the addresses', () => {
    const body = bodyOf('migrate')
    expect([...body.matchAll(/(\w+)_FILE: /g)].map(([, name]) => name)).to.have.members([
      'DATABASE_URL',
      'MIGRATE_DATABASE_URL',
      'REDIS_URL',
    ])
    for (const service of ['api', 'manage', 'worker'])
      expect(bodyOf(service)).not.to.contain('migrate_database_url')
  })

  it('lets every container do little, and the stores be reached by the services alone', () => {
    for (const service of services) {
      const body = bodyOf(service)
      expect(body, service).to.match(/cap_drop:\n\s+- ALL/)
      expect(body, service).to.contain('no-new-privileges:true')
      expect(body, service).to.match(/pids_limit: \d+/)
    }
    const networksOf = (service: string) => {
      const [, names = ''] = /^ {4}networks:\n((?: {6}.*\n)+)/m.exec(bodyOf(service)) ?? []
      return [...names.matchAll(/^ {6}(?:- )?(\w+)/gm)].map(([, name]) => name)
    }
    expect(networksOf('postgres')).to.deep.equal(['database'])
    expect(networksOf('redis')).to.deep.equal(['queues'])
    expect(networksOf('migrate')).to.deep.equal(['database'])
    expect(config.match(/internal: true/g)).to.have.length(2)
  })

  it('takes the files from the folder that it is told', () => {
    const files = [...config.matchAll(/^ {4}file: (.*)/gm)].map(([, path]) => path)
    expect(files).to.have.length(8)
    for (const path of files) expect(path).to.match(/^\/somewhere\/else\/\w+$/)
  })
})
