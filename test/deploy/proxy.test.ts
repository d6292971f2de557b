import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { atEndOfTest } from '../support/at-end.ts'
import { needProgram } from '../support/need-program.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'deploy/proxy/haproxy.cfg')

describe('deploy/proxy/haproxy.cfg', () => {
  const atEnd = atEndOfTest()

  it('is valid for HAProxy', async function () {
    const haproxy = needProgram(this, ['haproxy'], 'haproxy')
    const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    const pem = join(folder, 'rewards.pem')
    const tls = join(root, 'test/support/tls')
    const read = (name: string) => readFileSync(join(tls, name), 'utf8')
    writeFileSync(pem, read('certificate.pem') + read('key.pem'))
    const check = (path: string) =>
      promisify(execFile)(haproxy, ['-c', '-f', path], { env: { CERTIFICATE: pem } }).then(
        () => 'valid',
        (error: unknown) => String(error),
      )
    expect(await check(file)).to.equal('valid')
    const broken = join(folder, 'broken.cfg')
    writeFileSync(broken, readFileSync(file, 'utf8').replace('use_backend play', 'use_backend players'))
    expect(await check(broken)).to.contain('players')
  })
})
