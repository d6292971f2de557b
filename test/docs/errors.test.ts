import { expect } from 'chai'
import { errorMeanings, errorResponse } from '../../api/error-response.ts'
import type { ErrorStyle } from '../../api/error-style.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { readDocument, readSection, readTable } from './markdown.ts'

const document = readDocument('docs/integrate/errors.md')
const codes = Object.keys(errorMeanings) as ErrorCode[]
/** The styles in the order of the table's columns. */
const styles: readonly ErrorStyle[] = ['box_open', 'prize_order', 'prize_cashback', 'general']
/** The mark in the column of an operation that never gives this answer. */
const never = '–'

describe('docs/integrate/errors.md', () => {
  const rows = readTable(document, '## Codes').map(([link = '', ...cells]) => [
    /^\[`(\w+)`\]\(#\1\)$/.exec(link)?.[1] ?? link,
    ...cells,
  ])

  it('has a row for every code, and no others', () => {
    expect(rows.map(([code]) => code)).to.deep.equal(codes)
  })

  it('lists the status, the message and the Retry-After of each code', () => {
    for (const code of codes) {
      const [, ...cells] = rows.find(([name]) => name === code) ?? []
      const stated = cells.slice(0, styles.length)
      const given = styles.map((style) => String(errorResponse(code, style).status))
      expect(
        stated.map((cell, index) => (cell === never ? given[index] : cell)),
        code,
      ).to.deep.equal(given)
      expect(
        stated.some((cell) => cell !== never),
        code,
      ).to.equal(true)
      const { body, headers } = errorResponse(code, 'general')
      const [message, retryAfter] = cells.slice(styles.length)
      expect(message, code).to.equal(body.message)
      expect(retryAfter, code).to.equal(headers['Retry-After'] ?? never)
    }
  })

  it('explains each code and what to do, in the order of the table', () => {
    const meanings = readSection(document, '## What they mean')
    expect([...meanings.matchAll(/^### (\w+)$/gm)].map(([, code]) => code)).to.deep.equal(codes)
    for (const code of codes) {
      const [meaning = '', advice = ''] = readSection(document, `### ${code}`).trim().split('\n\n')
      expect(meaning, code).to.match(/^[A-Z`].*\w{3}.*\.$/)
      expect(advice, code).to.match(/^\*\*What to do\*\*: .*\w{3}/)
    }
  })

  it('lists each operation’s own message for each of its statuses', () => {
    const paths: Partial<Record<ErrorStyle, string>> = {
      box_open: '/box/open',
      prize_order: '/prize/order',
      prize_cashback: '/prize/cashback',
    }
    const expected = new Set<string>()
    for (const [index, style] of styles.entries()) {
      const path = paths[style]
      if (path === undefined) continue
      for (const [code, ...cells] of rows) {
        if (cells[index] === never) continue
        const { status, body } = errorResponse(code as ErrorCode, style)
        expected.add([path, status, body.message].join(' '))
      }
    }
    const stated = readTable(document, '## Messages of the three operations').map((row) => row.join(' '))
    expect(stated).to.have.members([...expected])
  })
})
