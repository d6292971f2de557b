import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { needProgram } from '../support/need-program.ts'

const folder = join(import.meta.dirname, '../../deploy/proxy/cells')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('deploy/proxy/cells', () => {
  it('is valid for HAProxy, started in any folder', async function () {
    const haproxy = needProgram(this, ['haproxy'], 'haproxy')
    await promisify(execFile)(haproxy, ['-c', '-f', join(folder, 'haproxy.cfg')], { cwd: '/' })
  })

  it('has two backends for each cell that a map names, as the first cell would get its requests otherwise', () => {
    const backends = [...read('haproxy.cfg').matchAll(/^backend (\S+)$/gm)].map(([, name]) => name)
    for (const map of ['keys.map', 'casinos.map']) {
      const cells = [...read(map).matchAll(/^[^#\s]\S* (\S+)$/gm)].map(([, cell = '']) => cell)
      expect(
        cells.flatMap((cell) => [cell, `${cell}-manage`]),
        map,
      ).to.have.members(backends)
    }
  })
})
