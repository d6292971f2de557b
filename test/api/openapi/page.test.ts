import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { pagePolicy, renderDocument } from '../../../api/openapi/page.ts'
import { renderMarkdown } from '../../../api/openapi/page-text.ts'
import { apiDocument } from '../../support/api-document.ts'

describe('the page of the OpenAPI document', () => {
  const page = renderDocument(apiDocument)

  it('shows every operation, every schema and every error code', () => {
    for (const methods of Object.values(apiDocument.paths)) {
      for (const operation of Object.values(methods)) {
        expect(page).to.contain(`<h3 id="${operation.operationId}">`)
        for (const code of Object.values(operation['x-error-codes']).flat()) {
          expect(page).to.contain(`<code>${code}</code>`)
        }
      }
    }
    for (const { post } of Object.values(apiDocument.webhooks)) {
      expect(page).to.contain(`<h3 id="${post.operationId}">${post.summary}</h3>`)
    }
    for (const name of Object.keys(apiDocument.components.schemas)) {
      expect(page).to.contain(`<h3 id="schema-${name}">`)
    }
  })

  it('leads nowhere that is not on it', () => {
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.length).to.be.greaterThan(300)
    expect(links.filter((id) => !anchors.has(id))).to.deep.equal([])
  })

  it('runs no script, loads nothing, and has only the style that its policy names', () => {
    expect(page).not.to.match(
      /<script|<link rel="(?!icon" href="data:,")|<img|<iframe|style="| on\w+=|@import|url\(/,
    )
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style)
    expect(styles).to.have.length(1)
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64')
    expect(pagePolicy).to.contain(`style-src 'sha256-${hash}'`).and.to.contain("default-src 'none'")
  })

  it('shows text as text, whatever is in it', () => {
    const html = renderMarkdown('<b>&"` `<i>` [x](https://a.example/"onclick=1) [y](javascript:alert(1))')
    expect(html).not.to.match(/<(?!\/?(p|code|a)\b)|"onclick|href="javascript/)
  })
})
