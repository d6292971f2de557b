import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'

const projectDir = join(import.meta.dirname, '../..')

/** Stands in for a built program, because the test is only about which process gets the signal. */
const standIn = `
process.on('SIGTERM', () => setTimeout(() => { console.log('stopped in order'); process.exit(0) }, 200))
setTimeout(() => process.exit(1), 20_000)
console.log('runs as', process.pid)
`

const scripts = {
  'start:api': 'dist/api/main.js',
  'start:manage': 'dist/api/main-manage.js',
  'start:worker': 'dist/worker/main.js',
}

for (const [script, program] of Object.entries(scripts)) {
  describe(`npm run ${script}`, function () {
    this.timeout(30_000)
    let folder: string

    const atEnd = atEndOfSuite()
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rewards-scripts-'))
      atEnd(() => rm(folder, { recursive: true }))
      await copyFile(join(projectDir, 'package.json'), join(folder, 'package.json'))
      await mkdir(join(folder, dirname(program)), { recursive: true })
      await writeFile(join(folder, program), standIn)
    })

    it('stops the program in order when npm is told to end', async () => {
      const npm = spawn('npm', ['run', '--silent', script], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      const exited = once(npm, 'exit')
      const pid = await eventually('the program runs', () => {
        const [, digits] = /runs as (\d+)/.exec(output) ?? []
        return digits === undefined ? undefined : Number(digits)
      })
      try {
        npm.kill('SIGTERM')
        expect(await exited).to.deep.equal([0, null])
        expect(isRunning(pid)).to.equal(false)
        await eventually('its last line arrives', () => output.includes('stopped in order'))
      } finally {
        if (isRunning(pid)) process.kill(pid, 'SIGKILL')
      }
    })
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
