import { spawn } from 'node:child_process'
import { text as readText } from 'node:stream/consumers'
import { expect } from 'chai'
import fc from 'fast-check'
import Joi from 'joi'
import { RE2JS } from 're2js'
import { fromJoi } from '../../api/openapi/from-joi.ts'
import { timestamp } from '../../api/inputs.ts'
import { callerId, text } from '../../api/parse-input.ts'
import { anyUnicode } from '../support/any-unicode.ts'
import { apiDocument } from '../support/api-document.ts'
import { findOnPath } from '../../local/find-on-path.ts'
import { needProgram } from '../support/need-program.ts'

/** Every pattern of the document, with the first place that it stands at. */
function findPatterns(node: unknown, place = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [key, child] of Object.entries(node)) {
    if (key === 'pattern' && typeof child === 'string' && !found.has(child)) found.set(child, place)
    else findPatterns(child, `${place}/${key}`, found)
  }
  return found
}

const patterns = findPatterns(apiDocument)

/** Which of the texts each pattern matches in Python. */
async function matchInPython(
  asked: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, boolean[]>> {
  const program = `
import json, re, sys
asked = json.load(sys.stdin)
print(json.dumps({p: [re.search(p, t) is not None for t in ts] for p, ts in asked.items()}))
`
  const python = spawn('python3', ['-c', program])
  python.stdin.end(JSON.stringify(asked))
  const [output, problem] = await Promise.all([readText(python.stdout), readText(python.stderr)])
  if (output === '') throw new Error(problem)
  return JSON.parse(output) as Record<string, boolean[]>
}

const hasPython = findOnPath('python3') !== undefined

describe('the patterns of the OpenAPI document in other languages', () => {
  it('are found in the document, more than fifteen of them', () => {
    expect(patterns.size).to.be.greaterThan(15)
  })

  it('compile in JavaScript with the flag `u` and without it', () => {
    for (const [pattern, place] of patterns) {
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags), place).not.to.throw()
      // Without `u` these mean a letter p, and halves of characters.
      expect(pattern, place).not.to.match(/\\[pPu]/)
    }
  })

  it('compile in RE2, which Go uses and whose limits Rust shares', () => {
    for (const [pattern, place] of patterns) {
      expect(() => RE2JS.compile(pattern), `${pattern} at ${place}`).not.to.throw()
      // RE2 takes octal numbers; Rust takes `\0` for a back-reference.
      expect(pattern, place).not.to.match(/\\\d/)
    }
    for (const foreign of [String.raw`^(?!a)`, String.raw`(a)\1`, String.raw`(?<=a)b`]) {
      expect(() => RE2JS.compile(foreign), foreign).to.throw()
    }
  })

  it('compile in Python', async function () {
    needProgram(this, ['python3'], 'python3-minimal')
    const matched = await matchInPython(Object.fromEntries([...patterns.keys()].map((one) => [one, ['a']])))
    expect(Object.keys(matched)).to.have.members([...patterns.keys()])
  })

  it('refuse no value in any language that the service accepts', async () => {
    const anyText = fc.oneof(
      anyUnicode({ maxLength: 130 }),
      fc.string({
        unit: fc.constantFrom(' ', '\u00a0', '\u001c', '\u0085', '\ufeff', 'a', '🎲'),
        maxLength: 130,
      }),
      fc.constantFrom(
        '2030-01-31',
        '2030-01-31T24:00:00Z',
        '2028-02-29T12:00:00.123+02:00',
        '🎲'.repeat(128),
      ),
    )
    const taken: Record<string, string[]> = {}
    for (const joi of [callerId, text(200), text(200).required(), timestamp]) {
      const { pattern } = fromJoi(Joi.object({ value: joi })).properties?.['value'] ?? {}
      if (pattern === undefined) throw new Error('no pattern to look at')
      const isTaken = (value: string) =>
        /^\P{Surrogate}*$/u.test(value) && joi.validate(value).error === undefined
      const texts = fc.sample(anyText, { numRuns: 500, seed: 1 }).filter(isTaken)
      expect(texts.length, pattern).to.be.greaterThan(50)
      taken[pattern] = texts
    }
    const inPython = hasPython ? await matchInPython(taken) : undefined
    for (const [pattern, texts] of Object.entries(taken)) {
      const re2 = RE2JS.compile(pattern)
      for (const [index, value] of texts.entries()) {
        const matches = [
          new RegExp(pattern).test(value),
          new RegExp(pattern, 'u').test(value),
          re2.matcher(value).find(),
          inPython?.[pattern]?.[index] ?? true,
        ]
        expect(matches, `${pattern} ${JSON.stringify(value)}`).to.deep.equal([true, true, true, true])
      }
    }
  })
})
