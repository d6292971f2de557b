import type { Context } from 'koa'
import type { ErrorCode } from '../../core/errors.ts'
import { errorResponse } from '../error-response.ts'

/** A small page that needs nothing else to be loaded. Title, body and head are ours, never a caller's. */
export function renderPage(title: string, body: string, head = ''): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} – Casino rewards operations</title>
<style>${style}</style>
${head}</head>
<body>
<main>
<p class="service">Casino rewards operations</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

/** An error told to a person instead of a program: the status and headers of the envelope around a page. */
export function replyWithErrorPage(
  ctx: Context,
  code: ErrorCode,
  page: string,
  headers: Record<string, string> = {},
): void {
  const response = errorResponse(code, 'general')
  ctx.status = response.status
  ctx.set({ ...response.headers, ...headers })
  ctx.type = 'html'
  ctx.body = page
  ctx.state['errorCode'] = code
}

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
