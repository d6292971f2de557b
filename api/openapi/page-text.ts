/** Text as it is shown, whatever is in it. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** As much of Markdown as the document's texts have: paragraphs, `code` and links. */
export function renderMarkdown(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${renderInline(paragraph)}</p>`)
    .join('\n')
}

export function renderInline(text: string): string {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>')
}

export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${heading}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`
}

export function renderJson(value: unknown): string {
  return `<pre><code>${escape(JSON.stringify(value, null, 2))}</code></pre>`
}
