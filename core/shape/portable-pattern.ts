/**
 * A pattern as every language of our callers reads it: JavaScript with and without `u`, Python's `re`, RE2 (Go), Rust's
 * `regex`. It may take more than the expression it is made of, and never less. Lone surrogates are not refused: text of
 * other languages has none. Throws for what cannot be said so that all of them understand it.
 */
export function portablePattern(source: string): string {
  const portable = source
    .replaceAll(String.raw`\p{Cc}`, String.raw`\x00-\x1f\x7f-\x9f`)
    .replaceAll(String.raw`\p{Cs}`, '')
    .replaceAll(/\\0(?!\d)/g, String.raw`\x00`)
  const problem = unportable.find(({ pattern }) => pattern.test(portable))
  if (problem !== undefined) throw new Error(`the pattern ${source} has ${problem.name}`)
  return portable
}

const unportable: readonly { name: string; pattern: RegExp }[] = [
  { name: 'a look-around, a named group or flags', pattern: /\(\?(?!:)/ },
  { name: 'a class of Unicode, or an escape that other languages write otherwise', pattern: /\\[pPuUcCkK]/ },
  { name: 'a back-reference or an octal number', pattern: /\\\d/ },
  { name: 'a class that means other characters in each language', pattern: /\\[sSwWbB]/ },
  // Without `u`, JavaScript counts halves of characters: 128 of them would be too long.
  { name: 'a length for characters of every kind: give it as maxLength', pattern: /\[\^[^\]]*\]\{/ },
]

/** The white space that all agree on. What else a language takes for blank, the service refuses and the pattern does not. */
const blanks = String.raw`\x09-\x0d\x20`

/** Of `^[^…]*$`, a pattern of texts without some characters: the same for texts that are not blank. */
export function notBlank(pattern: string): string {
  const [, refused] = /^\^\[\^([^\]]*)\]\*\$$/.exec(pattern) ?? []
  if (refused === undefined) throw new Error(`no pattern for what is not blank and matches ${pattern}`)
  return `^[${blanks}]*[^${refused}${blanks}][^${refused}]*$`
}
