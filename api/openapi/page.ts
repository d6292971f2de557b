import { createHash } from 'node:crypto'
import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Reference,
  ResponseObject,
  WebhookObject,
} from './openapi-types.ts'
import { renderFields, renderType } from './page-schema.ts'
import { style } from './page-style.ts'
import { escape, renderInline, renderJson, renderMarkdown, renderTable } from './page-text.ts'

/** The page has no script, loads nothing, and has one style, which is named by its hash. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Named {
  method: string
  path: string
  operation: OperationObject | WebhookObject
  /** That it is a call of ours, of somebody else's system. */
  isOurs?: true
}

/** The document as a page to be read. Everything in it is ours; it is escaped all the same. */
export function renderDocument(document: OpenApiDocument): string {
  const title = escape(document.info.title)
  const base = document.servers[0]?.url.replace(/\/$/, '') ?? ''
  const answered = Object.entries(document.paths).flatMap(([path, methods]): Named[] =>
    Object.entries(methods).map(([method, operation]) => ({ method, path: base + path, operation })),
  )
  const made = Object.values(document.webhooks).map(({ post }): Named => ({
    method: 'post',
    path: 'your URL',
    operation: post,
    isOurs: true,
  }))
  const operations = [...answered, ...made]
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return {
      name,
      links: own.map(
        ({ operation }) => `<li><a href="#${operation.operationId}">${escape(operation.summary)}</a></li>`,
      ),
      html: `<h2>${escape(name)}</h2>\n<p>${renderInline(description)}</p>\n${own
        .map((one) => renderOperation(one, document))
        .join('\n')}`,
    }
  })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<h3 id="schema-${escape(name)}">${escape(name)}</h3>\n${renderFields(schema)}`,
  )
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<nav>
<p><strong>${title}</strong> ${escape(document.info.version)}</p>
<p><a href="${escape(base)}/openapi.json">openapi.json</a></p>
${sections.map(({ name, links }) => `<p class="soft">${escape(name)}</p><ul>${links.join('')}</ul>`).join('\n')}
</nav>
<main>
<h1>${title}</h1>
${renderMarkdown(document.info.description)}
${sections.map(({ html }) => html).join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}
</main>
</body>
</html>
`
}

function renderOperation({ method, path, operation, isOurs }: Named, document: OpenApiDocument): string {
  const { parameters = [], requestBody, security } = operation
  const scheme = Object.keys(security[0] ?? {})[0]
  const rows = parameters.map((parameter) => [
    `<code>${escape(parameter.name)}</code>`,
    parameter.in,
    renderType(parameter.schema),
    parameter.required ? 'yes' : '',
    renderInline(parameter.description ?? ''),
  ])
  return `<h3 id="${operation.operationId}">${escape(operation.summary)}</h3>
<p><span class="method">${method.toUpperCase()}</span> ${isOurs === true ? escape(path) : `<code>${escape(path)}</code>`}</p>
${renderMarkdown(operation.description)}
<p class="soft">${renderNeed(scheme, isOurs)}</p>
${rows.length === 0 ? '' : renderTable(['Parameter', 'In', 'Type', 'Required', 'Meaning'], rows)}
${requestBody === undefined ? '' : `<h4>Body${requestBody.required ? '' : ' (may be left out)'}</h4>\n${renderContent(requestBody.content)}`}
<h4>Answers</h4>
${Object.entries(operation.responses)
  .map(([status, response]) => renderAnswer(status, resolve(response, document)))
  .join('\n')}`
}

function renderNeed(scheme: string | undefined, isOurs: true | undefined): string {
  if (isOurs === true) return 'We call, you answer. Signed as Standard Webhooks are.'
  return scheme === undefined ? 'For anybody.' : `Needs: ${escape(scheme)}.`
}

function resolve(response: ResponseObject | Reference, document: OpenApiDocument): ResponseObject {
  if (!('$ref' in response)) return response
  const found = document.components.responses[response.$ref.slice('#/components/responses/'.length)]
  if (found === undefined) throw new Error(`no ${response.$ref}`)
  return { ...found, description: response.description ?? found.description }
}

function renderAnswer(status: string, response: ResponseObject): string {
  const headers = Object.keys(response.headers).map((name) => `<code>${escape(name)}</code>`)
  return `<details><summary><strong>${escape(status)}</strong> ${renderInline(response.description)}</summary>
${headers.length === 0 ? '' : `<p class="soft">Headers: ${headers.join(', ')}</p>`}
${renderContent(response.content ?? {})}
</details>`
}

function renderContent(content: Readonly<Record<string, MediaType>>): string {
  return Object.entries(content)
    .map(
      ([type, { schema, example }]) =>
        `<p class="soft">${escape(type)}</p>\n${renderFields(schema)}\n${example === undefined ? '' : renderJson(example)}`,
    )
    .join('\n')
}
