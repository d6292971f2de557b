import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Answer, Ask } from '../../local/demo-life.ts'
import { addProposal, findSignIn, makeFirstOperator, renewProposal } from '../../local/demo-operators.ts'
import type { SendForm } from '../../local/demo-operators.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { makeOperator } from '../support/ops.ts'
import { itInLongForm } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('the operators of the demo', () => {
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

  const sendForm: SendForm = async (path, fields, cookie) => {
    const reply = await fetch(`${service.url}/ops${path}`, {
      method: 'POST',
      headers: cookie === undefined ? {} : { Cookie: cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    if (isInterrupted) throw new Error('interrupted')
    return reply
  }
  const start = () => makeFirstOperator(sendForm, { adminKey: adminApiKey, passwordFile })
  const statusOfSignIn = async (password: string) =>
    (await sendForm('/login', { username: 'maria', password: password.trim() })).status

  itInLongForm(
    'sign in with the password in the file, also if the start was interrupted before the answer',
    async () => {
      isInterrupted = true
      const failure = await start().catch((error: unknown) => error)
      expect(failure).to.have.property('message', 'interrupted')
      isInterrupted = false
      await start()
      expect(await findSignIn(passwordFile)).to.deep.equal({ username: 'maria', passwordFile })
      expect(await statusOfSignIn(await readFile(passwordFile, 'utf8'))).to.equal(303)
      expect(await service.database.operator.count()).to.equal(1)
    },
  )

  it('are not named if a person has made the first operator after an interrupted start', async () => {
    await writeFile(passwordFile, 'of an operator who was never made\n')
    await makeOperator(service)
    await start()
    expect(await findSignIn(passwordFile)).to.equal(undefined)
    expect(await service.database.operator.count()).to.equal(1)
  })

  it('are not named where a person made the first operator before the demo', async () => {
    await makeOperator(service)
    await start()
    expect(await findSignIn(passwordFile)).to.equal(undefined)
  })

  itInLongForm(
    'leave no session behind when a start has tried the password of an interrupted one',
    async () => {
      isInterrupted = true
      await start().catch(() => undefined)
      isInterrupted = false
      await start()
      expect(await openSessions()).to.equal(0)
    },
  )

  const openSessions = () => service.database.operatorSession.count({ where: { endedAt: null } })
  const askWith =
    (headers: Record<string, string>): Ask =>
    async (method, path, body) => {
      const reply = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
      return (JSON.parse(text) as { data: Answer }).data
    }
  const proposals = () =>
    service.database.act.findMany({ where: { madeBy: 'operator:jonas' }, orderBy: { id: 'asc' } })
  /** Makes the first proposal; `renew` is a later start. */
  const proposing = async () => {
    const manage = askWith({ Authorization: `Bearer ${adminApiKey}` })
    await manage('PUT', '/admin/casinos/demo', { name: 'Demo casino' })
    const cashback = { amount_minor: 4_900, currency: 'EUR' }
    const headphones = { name: 'Headphones', kind: 'physical', cashback }
    await manage('PUT', '/admin/casinos/demo/items/headphones', headphones)
    const asPerson = (cookie: string) => askWith({ Cookie: cookie })
    const colleague = { manage, sendForm, asPerson, passwordFile }
    await addProposal(colleague)
    return { manage, renew: () => renewProposal(colleague) }
  }

  it('propose again at a later start after the proposal has expired, and leave no session behind', async () => {
    const { renew } = await proposing()
    expect((await proposals()).map(({ state }) => state)).to.deep.equal(['pending_approval'])
    expect(await openSessions()).to.equal(0)
    await renew()
    expect(await proposals(), 'the first one still waits').to.have.length(1)
    // Whether a worker has noticed it or not.
    for (const state of ['pending_approval', 'expired']) {
      const before = await proposals()
      const expiresAt = new Date(Date.now() - 1_000)
      await service.database.act.updateMany({ data: { state, expiresAt } })
      await renew()
      const after = await proposals()
      expect(after, state).to.have.length(before.length + 1)
      expect(after.at(-1), state).to.include({ state: 'pending_approval', needsApproval: true })
    }
    expect(await openSessions()).to.equal(0)
  })

  itInLongForm(
    'propose nothing again that was decided, or that would need no approval any more',
    async () => {
      const { manage, renew } = await proposing()
      const expiresAt = new Date(Date.now() - 1_000)
      await service.database.act.updateMany({ data: { state: 'declined', expiresAt } })
      await renew()
      expect(await proposals()).to.have.length(1)
      await service.database.act.updateMany({ data: { state: 'expired' } })
      await manage('PUT', '/admin/casinos/demo/settings/approvals', {
        limits: [{ amount_minor: 10_000_000, currency: 'EUR' }],
      })
      await renew()
      expect((await proposals()).map(({ state }) => state)).to.deep.equal(['expired', 'previewed'])
    },
  )
})
