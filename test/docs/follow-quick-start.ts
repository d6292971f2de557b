import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { findFreePort } from '../../local/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { readBlocks, readDocument } from './markdown.ts'

/** The blocks that a reader pastes into the second terminal, in order. The first one of the page starts the service. */
const [, settings, receive, register, open, fail, inTypeScript, stop] = readBlocks(
  readDocument('docs/integrate/quick-start.md'),
  'bash',
)

/**
 * Follows docs/integrate/quick-start.md in one terminal, beside an `npm start` that runs with these variables. Each
 * step must show the output that the page promises before the next one is pasted.
 */
export async function followQuickStart(env: Record<string, string>): Promise<void> {
  const receiverPort = String(await findFreePort())
  const shell = spawn('bash', ['--norc'], {
    env: { ...env, PATH: process.env['PATH'], RECEIVER_PORT: receiverPort },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(shell, 'close')
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const paste = async (block: string | undefined, shows: RegExp) => {
    const before = output.length
    shell.stdin.write(`${block ?? ''}\n`)
    await eventually(`${String(shows)} is shown`, () => {
      if (shell.exitCode !== null) throw new Error(`the shell ended:\n${output}`)
      return shows.test(output.slice(before))
    }).catch((error: unknown) => {
      throw new Error(`the shell showed:\n${output}`, { cause: error })
    })
    return output.slice(before)
  }
  try {
    await paste(`${settings ?? ''}\necho done`, /^done$/m)
    await paste(receive, /listening on/)
    await paste(register, /"status":"success"/)
    const opened = await paste(open, /prize\.won prz_/)
    expect(opened)
      .to.match(/HTTP\/1\.1 200/)
      .and.to.contain('Box opened successfully')
    // The block also makes a key: only the rest of it is run again.
    const again = await paste(open?.replace(/^KEY=.*\n/, ''), /\{.*\}/)
    expect(again.toLowerCase()).to.contain('idempotency-replayed: true')
    expect(opened).to.contain(/\{.*\}/.exec(again)?.[0])
    expect((await paste(fail, /\{.*\}/)).toLowerCase()).to.contain('x-error-code: box_unknown')
    await paste(inTypeScript, /^player-1 won .* \(prz_\w+\)$/m)
    await eventually('the second prize is announced', () => output.match(/prize\.won prz_/g)?.length === 2)
  } finally {
    shell.stdin.end(`${stop ?? ''}\n`)
    await ended
  }
}
