import { createHash } from 'node:crypto'
import type { Context } from 'koa'

const style = `
:root { color-scheme: light dark; --back: #f2f4f7; --card: #fff; --text: #1a2230; --soft: #5a6577; --line: #8f9bad; --go: #1f5fbf; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --back: #12161d; --card: #1b212b; --text: #e7ebf1; --soft: #a3aebd; --line: #667386; --go: #2f6fd0; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(24rem, 100%); padding: 2rem; background: var(--card); border-radius: .75rem; box-shadow: 0 2px 16px rgb(0 0 0 / .15) }
h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.2 }
.service { margin: 0 0 .25rem; color: var(--soft); font-size: .875rem }
label { display: block; margin-bottom: .375rem; font-weight: 600 }
input { width: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; font: inherit }
button, .button { display: block; width: 100%; margin-top: 1rem; padding: .625rem; border: 0; border-radius: .5rem; background: var(--go); color: #fff; font: inherit; font-weight: 600; cursor: pointer; text-align: center; text-decoration: none }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
a:not(.button) { color: inherit }
input + .error, .hint { margin: .25rem 0 0 }
.hint { color: var(--soft); font-size: .875rem }
form label:not(:first-child) { margin-top: 1rem }
.error { margin: 0 0 1rem; color: var(--bad); font-weight: 600 }
`

const hash = createHash('sha256').update(style).digest('hex').slice(0, 12)

/** Among the files of /ops: how the pages of `renderPage` look. The name changes with the contents. */
export const pageStyleName = `page-${hash}.css`

/** A file of its own, because the policy of these pages allows no inline style. */
export function showPageStyle(ctx: Context): void {
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  ctx.type = 'text/css'
  ctx.body = style
}
