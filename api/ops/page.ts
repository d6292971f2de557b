import type { Context } from 'koa'
import type { ErrorCode } from '../../core/errors.ts'
import { errorResponse } from '../error-response.ts'
import { pageStyleName } from './page-style.ts'

/** A small page that works without the console. Title, body and head are ours, never a caller's. */
export function renderPage(opsPath: string, title: string, body: string, head = ''): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} – Casino rewards operations</title>
<link rel="stylesheet" href="${opsPath}/files/${pageStyleName}">
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
