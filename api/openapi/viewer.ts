import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** The page runs and loads its own files and the document, and nothing from anywhere else. */
export const viewerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI's style sheet holds its icons.
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Its links are relative, so that it works below any base path. */
export const viewerPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Casino rewards API</title>
<link rel="stylesheet" href="docs/viewer.css">
<script src="docs/viewer.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. <a href="openapi.json">openapi.json</a> has the same content.</noscript>
<div id="viewer"></div>
</body>
</html>
`

/** Requests are not sent from the page, so it never asks for an API key. */
const start = `
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
  plugins: [{ wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } }],
})
`

/** The document has no links; their empty column would make every table of answers too wide for a phone. */
const corrections = `
.swagger-ui .response-col_links { display: none }
.swagger-ui .opblock-body { overflow-x: auto }
`

/** Swagger UI, and the call that starts it. */
export async function readViewerScript(): Promise<string> {
  return (await readFile(resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8')) + start
}

export async function readViewerStyle(): Promise<string> {
  return (await readFile(resolve('swagger-ui-dist/swagger-ui.css'), 'utf8')) + corrections
}
