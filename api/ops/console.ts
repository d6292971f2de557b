import type { Context } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import { keepResult, readBuiltFile, readBuiltFiles } from '../built-pages.ts'
import { chooseEncoding } from '../choose-encoding.ts'
import { encode } from '../encoded-text.ts'
import type { EncodedText } from '../encoded-text.ts'

/**
 * The console runs and loads its own files and asks the management API, and nothing else from anywhere. Its scripts make
 * no HTML of text either.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Where its pages begin. The rest of the path is for the script in the browser. */
export const consolePages = ['/search', '/casinos', '/operators', '/audit', '/state', '/account'] as const

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/** Serves the console: one page for all its paths, and the files that the page loads. */
export function createConsole(basePath: string): {
  showPage: (ctx: Context) => Promise<void>
  showFile: (ctx: Context, name: string) => Promise<void>
} {
  const files = keepResult(readBuiltFiles)
  const page = keepResult(async () => renderPage(basePath, await files()))
  const kept = new Map<string, Promise<EncodedText>>()
  return {
    showPage: async (ctx) => {
      ctx.type = 'html'
      ctx.body = await page()
    },
    showFile: async (ctx, name) => {
      const names: readonly string[] = Object.values(await files())
      if (!names.includes(name)) throw new RewardsError('route_unknown')
      let file = kept.get(name)
      if (file === undefined) {
        file = readBuiltFile(name).then(encode)
        kept.set(name, file)
        file.catch(() => kept.delete(name))
      }
      const encoding = chooseEncoding(ctx.get('Accept-Encoding'), ['br', 'gzip'])
      const encoded = (await file)[encoding]
      // The name changes with the contents.
      ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
      ctx.vary('Accept-Encoding')
      if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
      ctx.type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      ctx.body = encoded.body
    },
  }
}

function renderPage(basePath: string, files: Awaited<ReturnType<typeof readBuiltFiles>>): string {
  const root = `${basePath}/ops`
  return `<!DOCTYPE html>
<html lang="en" data-base="${basePath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Casino rewards</title>
<link rel="stylesheet" href="${root}/files/${files['console.css']}">
<script type="module" src="${root}/files/${files['console.js']}"></script>
</head>
<body>
<noscript>The console needs JavaScript. Scripts can use the management API instead.</noscript>
<div id="app"></div>
</body>
</html>
`
}
