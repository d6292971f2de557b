import fc from 'fast-check'

/** Every code point but the halves of a pair; those that people type as often as all others together. */
const codePoint = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
)

/** Any text. fast-check's own `fc.string({ unit: 'binary' })` first builds a table of all code points, for two seconds. */
export const anyUnicode = (constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.array(codePoint, constraints).map((points) => String.fromCodePoint(...points))
