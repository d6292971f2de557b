/**
 * A pattern that works in all of our callers' languages: JavaScript with and without `u`, Python's `re`, RE2 (Go),
 * Rust's `regex`. It may accept more than the original expression, and never less. Lone surrogates are not refused:
 * texts in other languages have none. Throws for expressions that cannot be written portably.
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
  // Without `u`, JavaScript counts surrogates separately: 128 such characters would be too long.
  { name: 'a length for characters of every kind: give it as maxLength', pattern: /\[\^[^\]]*\]\{/ },
]

/**
 * The white space common to all languages. Other characters that some treat as blank are refused by the service and not
 * by the pattern.
 */
const blanks = String.raw`\x09-\x0d\x20`

/** For `^[^…]*$`, a pattern of texts without certain characters: the same for texts that are not blank. */
export function notBlank(pattern: string): string {
  const [, refused] = /^\^\[\^([^\]]*)\]\*\$$/.exec(pattern) ?? []
  if (refused === undefined) throw new Error(`no pattern for what is not blank and matches ${pattern}`)
  return `^[${blanks}]*[^${refused}${blanks}][^${refused}]*$`
}
