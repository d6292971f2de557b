import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { findOnPath } from './run-start.ts'

const secrets = {
  POSTGRES_PASSWORD: 'a',
  REDIS_PASSWORD: 'b',
  ADMIN_API_KEY: 'c',
  HASH_SECRET: 'd',
  ENCRYPTION_KEYS: 'e',
}

describe('docker-compose.yml', function () {
  this.timeout(30_000)

  before(function () {
    if (findOnPath('docker-compose') !== undefined) return
    process.stdout.write('No docker-compose on the PATH: docker-compose.yml is not checked.\n')
    this.skip()
  })

  const resolve = async (env: Record<string, string>) => {
    const { stdout } = await promisify(execFile)('docker-compose', ['config'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], ...env },
    })
    return stdout
  }

  it('is valid and has all services', async () => {
    const config = await resolve(secrets)
    for (const service of ['api', 'worker', 'migrate', 'postgres', 'redis']) {
      expect(config).to.match(new RegExp(`^  ${service}:$`, 'm'))
    }
    expect(config).to.contain('noeviction')
  })

  for (const name of Object.keys(secrets)) {
    it(`refuses to start without ${name}`, async () => {
      const problem = await resolve({ ...secrets, [name]: '' }).catch((error: unknown) => error)
      expect(String(problem)).to.contain(`set ${name}`)
    })
  }
})
