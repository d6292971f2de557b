import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startChild } from '../../../local/child.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'

describe('a program that is stopped while it works', function () {
  this.timeout(60_000)
  const atEnd = atEndOfTest()

  /** A database that takes connections and says nothing: a program waits for it. */
  const startSilentDatabase = async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.on('error', () => undefined).resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return {
      url: `postgresql://service:x@127.0.0.1:${port}/rewards`,
      isAsked: () => eventually('the program asks the database', () => connections > 0, 30_000),
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends at ${signal} with 3 and a sentence, although the first process of a container ignores it by default`, async () => {
      const database = await startSilentDatabase()
      const lines: string[] = []
      const child = await startChild({
        command: process.execPath,
        args: ['--import', 'tsx', 'tools/verify-audit.ts'],
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: database.url,
          HASH_SECRET: 'hN3uYB0mJ4gT8sVw5xKz1LqR6cPdEaFi',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
        onLine: (line) => lines.push(line),
      })
      atEnd(() => child.stop())
      await database.isAsked()
      process.kill(child.pid, signal)
      expect(await child.ended).to.deep.equal({ code: 3, signal: null })
      expect(lines).to.deep.equal([`Failed: stopped by ${signal}`])
    })
  }
})

describe('a program of two parts', function () {
  this.timeout(60_000)
  const atEnd = atEndOfTest()

  /** The exit code of a program whose parts end with these codes. */
  const exitCodeOf = async (...codes: readonly number[]) => {
    const parts = codes.map((code) => `await runMain({ usage: 'two parts' }, () => ${code})`)
    const program = `import { runMain } from './core/platform/main-program.ts'\n${parts.join('\n')}`
    const child = await startChild({
      command: process.execPath,
      args: ['--import', 'tsx', '--input-type=module', '--eval', program],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit'],
      stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
    })
    atEnd(() => child.stop())
    return (await child.ended).code
  }

  it('says that either has found a problem, also if the other could not be done', async () => {
    const pairs = [
      [1, 0],
      [1, 3],
      [3, 1],
      [0, 3],
      [0, 0],
    ] as const
    expect(await Promise.all(pairs.map((codes) => exitCodeOf(...codes)))).to.deep.equal([1, 1, 1, 3, 0])
  })
})
