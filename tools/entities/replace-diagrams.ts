/** Puts each diagram into the Mermaid block below its heading. Throws when there is no such heading or block. */
export function replaceDiagrams(page: string, diagrams: Readonly<Record<string, string>>): string {
  let text = page
  for (const [heading, diagram] of Object.entries(diagrams)) {
    const section = text.indexOf(`\n${heading}\n`)
    const block = text.indexOf('```mermaid\n', section)
    const end = text.indexOf('```', block + 3)
    if (section < 0 || block < 0 || end < 0) throw new Error(`there is no diagram below "${heading}"`)
    text = `${text.slice(0, block)}\`\`\`mermaid\n${diagram}${text.slice(end)}`
  }
  return text
}
