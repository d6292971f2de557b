import { expect } from 'chai'
import { toPages } from '../../../../console/src/grants/grant-pages.ts'
import { nothingSent, sendPages } from '../../../../console/src/grants/send-pages.ts'
import type { PageOutcome, Progress } from '../../../../console/src/grants/send-pages.ts'

describe('sending a file of grants', () => {
  const pages = toPages(
    Array.from({ length: 2_500 }, (_, index) => ({
      line: index + 2,
      player_id: 'p',
      box_id: 'vip',
      count: 1,
    })),
    'may',
  )
  const start = (answers: (PageOutcome | Error)[], before: Progress = nothingSent) => {
    const sent: number[] = []
    const waits: number[] = []
    const reports: Progress[] = []
    const stop = new AbortController()
    const result = sendPages(pages, before, {
      send: (page) => {
        sent.push(page.firstLine)
        const answer = answers.shift() ?? { kind: 'done', added: page.grants.length, known: 0 }
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      },
      wait: (seconds) => {
        waits.push(seconds)
        return Promise.resolve()
      },
      report: (progress) => {
        reports.push(progress)
        if (stopsAfter === reports.length) stop.abort()
      },
      signal: stop.signal,
    })
    return { result, sent, waits, reports }
  }
  let stopsAfter = 0
  beforeEach(() => {
    stopsAfter = 0
  })

  it('sends one page after the other and counts', async () => {
    const { result, sent, reports } = start([{ kind: 'done', added: 600, known: 400 }])
    expect(await result).to.equal('all')
    expect(sent).to.deep.equal([2, 1_002, 2_002])
    expect(reports.at(-1)).to.deep.equal({ pagesDone: 3, added: 2_100, known: 400 })
  })

  it('sends the same page again after the pause that a busy service asks for', async () => {
    const { result, sent, waits } = start([
      { kind: 'busy', seconds: 3 },
      { kind: 'busy', seconds: 1 },
    ])
    expect(await result).to.equal('all')
    expect(sent).to.deep.equal([2, 2, 2, 1_002, 2_002])
    expect(waits).to.deep.equal([3, 1])
  })

  it('gives up when the service stays busy', async () => {
    const { result, sent } = start(Array.from({ length: 50 }, () => ({ kind: 'busy', seconds: 1 })))
    const error: unknown = await result.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(String(error)).to.contain('stays busy')
    expect(sent).to.have.length(10)
  })

  it('continues after a failure with the page that failed', async () => {
    const first = start([{ kind: 'done', added: 1_000, known: 0 }, new Error('cut off')])
    await first.result.then(
      () => expect.fail('it must fail'),
      () => undefined,
    )
    const before = first.reports.at(-1)
    const second = start([], before)
    expect(await second.result).to.equal('all')
    expect(second.sent).to.deep.equal([1_002, 2_002])
    expect(second.reports.at(-1)).to.deep.equal({ pagesDone: 3, added: 2_500, known: 0 })
  })

  it('stops between two pages', async () => {
    stopsAfter = 1
    const { result, sent } = start([])
    expect(await result).to.equal('stopped')
    expect(sent).to.deep.equal([2])
  })
})
