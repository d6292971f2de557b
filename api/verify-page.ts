import { createEvidenceSigner } from '../core/fairness/sign-row.ts'
import { keepResult, readBuiltFile, readBuiltFiles } from './built-pages.ts'
import type { ApiDeps } from './deps.ts'
import { replyEncoded } from './encoded-reply.ts'
import { encode } from './encoded-text.ts'
import type { OpenEndpoint } from './endpoint.ts'

/** The page runs and loads its own two files. It sends no other request, not even to its own service. */
const verifyPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** `GET /verify`: where players check openings in their browser. It comes with the key that signs the evidence. */
export function createVerifyPage({ config }: Pick<ApiDeps, 'config'>): OpenEndpoint {
  const page = keepResult(() => encode(renderPage(createEvidenceSigner(config.hashSecret).publicKey)))
  return async (request) =>
    replyEncoded(await page(), request, {
      'Content-Security-Policy': verifyPolicy,
      'Content-Type': 'text/html; charset=utf-8',
    })
}

/** `GET /verify/page.js`: the page's script. */
export function createVerifyScript(): OpenEndpoint {
  return createFile('verify.js', 'text/javascript; charset=utf-8')
}

/** `GET /verify/page.css`: the page's style sheet. */
export function createVerifyStyle(): OpenEndpoint {
  return createFile('verify.css', 'text/css; charset=utf-8')
}

function createFile(name: 'verify.js' | 'verify.css', contentType: string): OpenEndpoint {
  const file = keepResult(async () => encode(await readBuiltFile((await readBuiltFiles())[name])))
  return async (request) => replyEncoded(await file(), request, { 'Content-Type': contentType })
}

/** Its links are relative, so that it works below any base path. */
function renderPage(signingKey: string): string {
  return `<!DOCTYPE html>
<html lang="en" data-signing-key="${signingKey}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Check an opening</title>
<link rel="stylesheet" href="verify/page.css">
<script type="module" src="verify/page.js"></script>
</head>
<body>
<noscript>This page needs JavaScript: your browser does the checking.</noscript>
<div id="app"></div>
</body>
</html>
`
}
