import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findSignIn, makeFirstOperator } from '../../local/demo-operators.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { makeOperator } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('the first operator of the demo', () => {
  const atEnd = atEndOfTest()
  let service: TestService
  let passwordFile: string
  /** Whether the answer is lost, as when the start is interrupted. */
  let isInterrupted: boolean

  beforeEach(async () => {
    service = await startService()
    atEnd(() => service.stop())
    const folder = await mkdtemp(join(tmpdir(), 'demo-operators-'))
    atEnd(() => rm(folder, { recursive: true }))
    passwordFile = join(folder, 'demo-password')
    isInterrupted = false
  })

  const sendForm = async (path: string, fields: Record<string, string>) => {
    const reply = await fetch(`${service.url}/ops${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    if (isInterrupted) throw new Error('interrupted')
    return reply
  }
  const start = () => makeFirstOperator(sendForm, { adminKey: adminApiKey, passwordFile })
  const statusOfSignIn = async (password: string) =>
    (await sendForm('/login', { username: 'maria', password: password.trim() })).status

  it('signs in with the password in the file, also if the start was interrupted before the answer', async () => {
    isInterrupted = true
    const failure = await start().catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'interrupted')
    isInterrupted = false
    await start()
    expect(await findSignIn(passwordFile)).to.deep.equal({ username: 'maria', passwordFile })
    expect(await statusOfSignIn(await readFile(passwordFile, 'utf8'))).to.equal(303)
    expect(await service.database.operator.count()).to.equal(1)
  })

  it('is not named if a person has made the first operator after an interrupted start', async () => {
    await writeFile(passwordFile, 'of an operator who was never made\n')
    await makeOperator(service)
    await start()
    expect(await findSignIn(passwordFile)).to.equal(undefined)
    expect(await service.database.operator.count()).to.equal(1)
  })

  it('is not named where a person made the first operator before the demo', async () => {
    await makeOperator(service)
    await start()
    expect(await findSignIn(passwordFile)).to.equal(undefined)
  })
})
