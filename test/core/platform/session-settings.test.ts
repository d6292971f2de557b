import { expect } from 'chai'
import {
  findDifferent,
  findUnusable,
  isOwnSession,
  plannerSettings,
  scanSettings,
  serviceSettings,
  setInSession,
  unlimitedSettings,
} from '../../../core/platform/session-settings.ts'

describe('the settings of a session', () => {
  it('are compared one by one, and each difference is named', () => {
    expect(findDifferent(serviceSettings, serviceSettings)).to.deep.equal([])
    expect(findDifferent({ jit: 'off', TimeZone: 'UTC' }, { jit: 'on' })).to.deep.equal([
      'jit is on instead of off',
      'TimeZone is unknown instead of UTC',
    ])
  })

  const withTimeout = (value: string) =>
    findUnusable(serviceSettings, { ...serviceSettings, statement_timeout: value })

  for (const value of ['5s', '1ms', '7500ms', '10s']) {
    it(`may have the time-out ${value} of another release in a pooler's session`, () => {
      expect(withTimeout(value)).to.deep.equal([])
    })
  }

  for (const value of ['0', '10001ms', '1min', '1h', '1d', '', 'never']) {
    it(`may not have the time-out ${JSON.stringify(value)} in a pooler's session`, () => {
      expect(withTimeout(value)).to.deep.equal([`statement_timeout is ${value} instead of 5s`])
    })
  }

  it("may be those of another release for the planner in a pooler's session, but not in a session of ours", () => {
    for (const name of Object.keys(plannerSettings)) {
      const found = { ...serviceSettings, [name]: 'auto' }
      expect(findUnusable(serviceSettings, found), name).to.deep.equal([])
      expect(findDifferent(serviceSettings, found), name).to.have.length(1)
    }
  })

  it("are missing in a pooler's session that was opened before the first migration", () => {
    const ofPostgres = { ...serviceSettings, ...unlimitedSettings }
    expect(findUnusable(serviceSettings, ofPostgres)).to.deep.equal([
      'statement_timeout is 0 instead of 5s',
      'lock_timeout is 0 instead of 500ms',
      'idle_in_transaction_session_timeout is 0 instead of 10s',
    ])
  })

  it("must be exactly ours in a pooler's session, but for time-outs and the planner", () => {
    for (const [name, value] of Object.entries(serviceSettings)) {
      if (name.endsWith('_timeout') || name in plannerSettings) continue
      const found = { ...serviceSettings, [name]: `not ${value}` }
      expect(findUnusable(serviceSettings, found)).to.deep.equal([
        `${name} is not ${value} instead of ${value}`,
      ])
    }
  })

  it('replace those of the role completely where a program has others', () => {
    expect(Object.keys(scanSettings)).to.have.members(Object.keys(serviceSettings))
  })

  it('are set only in a session whose process the server has named', async () => {
    const asked: string[] = []
    const sessionOf = (processId: unknown, rows: object[]) => ({
      processID: processId,
      escapeLiteral: (text: string) => `'${text}'`,
      query: (text: string) => {
        asked.push(text)
        return Promise.resolve({ rows })
      },
    })
    expect(await setInSession(sessionOf(7, [{}]), { jit: 'off' })).to.equal(true)
    expect(await setInSession(sessionOf(7, []), { jit: 'off' }), 'a pooler').to.equal(false)
    expect(await setInSession(sessionOf(null, []), { jit: 'off' }), 'nobody has named it').to.equal(false)
    const statement = "SELECT set_config('jit', 'off', false) WHERE pg_backend_pid() = 7"
    expect(asked).to.deep.equal([statement, statement])
    expect(isOwnSession(sessionOf(7, []), 7)).to.equal(true)
    expect(isOwnSession(sessionOf(8, []), 7)).to.equal(false)
    expect(isOwnSession(sessionOf(undefined, []), 7)).to.equal(false)
  })
})
