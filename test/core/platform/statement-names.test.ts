import { expect } from 'chai'
import { pino } from 'pino'
import { createStatementNames } from '../../../core/platform/statement-names.ts'

/** A session of a pooler: with PgBouncer from 1.21 the server has another name for a statement, before it has ours. */
function sessionOf(answer: () => { is_passed_on: boolean }) {
  let asked = 0
  return {
    asked: () => asked,
    query: (statement: { name: string; text: string }) => {
      asked++
      expect(statement.text).to.include(`name = '${statement.name}'`)
      return Promise.resolve().then(() => ({ rows: [answer()] }))
    },
  }
}

describe('the names of prepared statements', () => {
  const create = () => {
    const lines: string[] = []
    const names = createStatementNames(pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }))
    return { names, lines }
  }

  it('are the same for the same text, and others for another', () => {
    const { names } = create()
    expect(names.of('SELECT 1'))
      .to.match(/^[0-9a-f]{32}$/)
      .and.to.equal(names.of('SELECT 1'))
    expect(names.of('SELECT 2')).to.not.equal(names.of('SELECT 1'))
  })

  it('are kept behind a pooler that has names of its own for the server, which each new connection proves', async () => {
    const { names, lines } = create()
    const session = sessionOf(() => ({ is_passed_on: false }))
    await names.learn(session)
    await names.learn(session)
    expect(session.asked()).to.equal(2)
    expect(names.of('SELECT 1')).to.not.equal('')
    expect(lines).to.deep.equal([])
  })

  for (const [what, answer] of [
    ['passes them on', () => ({ is_passed_on: true })],
    [
      'has passed on those of another connection',
      () => {
        throw Object.assign(new Error('prepared statement "…" already exists'), { code: '42P05' })
      },
    ],
  ] as const) {
    it(`are given up behind a pooler that ${what}, with one line in the log`, async () => {
      const { names, lines } = create()
      expect(names.of('SELECT 1')).to.not.equal('')
      const session = sessionOf(answer)
      await names.learn(session)
      await names.learn(session)
      expect(session.asked(), 'nothing more is left behind').to.equal(1)
      expect(names.of('SELECT 1')).to.equal('')
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include('the pooler keeps no prepared statements')
    })
  }

  it('are kept when the question fails, and the connection is not used', async () => {
    const { names } = create()
    const session = sessionOf(() => {
      throw new Error('lost')
    })
    const failure: unknown = await names.learn(session).catch((error: unknown) => error)
    expect(String(failure)).to.equal('Error: lost')
    expect(names.of('SELECT 1')).to.not.equal('')
  })
})
