import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import type Joi from 'joi'
import { secretNames, variables } from '../../core/platform/config-variables.ts'
import { readDocument, readTable } from './markdown.ts'

/** The part of Joi's description of a schema that the table has. */
interface Description {
  type?: string
  flags?: { default?: string | number | boolean; presence?: string }
  allow?: unknown[]
  rules?: { name: string; args?: { limit?: number } }[]
}

function defaultOf({ flags = {} }: Description): string {
  if (flags.presence === 'required') return 'required'
  if (flags.default === undefined) return 'none'
  return flags.default === '' ? 'empty' : String(flags.default)
}

/** `3 to 200`, or undefined when the bounds are not two numbers. */
function boundsOf({ type, flags, allow, rules = [] }: Description): string | undefined {
  if (type === 'boolean') return 'true or false'
  if (flags !== undefined && 'only' in flags && allow) return allow.join(', ')
  if (rules.some(({ name }) => name === 'port')) return '0 to 65535'
  const limitOf = (name: string) => rules.find((rule) => rule.name === name)?.args?.limit
  const [min, max] = [limitOf('min'), limitOf('max')]
  if (min === undefined || max === undefined) return undefined
  return `${min} to ${max}${type === 'string' ? ' characters' : ''}`
}

describe('docs/operate/configure.md', () => {
  it('has a row for every secret that may stand in a file', () => {
    const rows = readTable(readDocument('docs/operate/configure.md'), '### Secrets from files')
    expect(rows).to.deep.equal(secretNames.map((name) => [`${name}_FILE`, name]))
    for (const name of secretNames) expect(Object.keys(variables)).to.include(name)
  })

  it('lists the variables that the tests of npm start set', () => {
    const names = readTable(readDocument('docs/operate/configure.md'), '## npm start').map(([name]) => name)
    expect(names).to.include.members(['LOCAL_DIR', 'PORT'])
  })

  const rows = readTable(readDocument('docs/operate/configure.md'), '## Configuration')
  const known = new Map<string, Description>(
    Object.entries(variables).map(([name, schema]: [string, Joi.Schema]) => [
      name,
      schema.describe() as Description,
    ]),
  )

  it('has a row for every variable, and no others', () => {
    expect(rows.map(([name]) => name)).to.have.members([...known.keys()])
  })

  it('lists the defaults and bounds that the service applies', () => {
    for (const [name = '', stated, bounds, meaning] of rows) {
      const description = known.get(name) ?? {}
      expect(stated, name).to.equal(defaultOf(description))
      expect(bounds, name).to.equal(boundsOf(description) ?? bounds)
      expect(bounds, name).to.match(/\w/)
      expect(meaning, name).to.match(/\w{3}/)
    }
  })
})

describe('Examples in documents', () => {
  const documents = [
    'README.md',
    'docker-compose.yml',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ]

  it('contain no secret that could be pasted into a production environment', () => {
    const assignment = /\b(ADMIN_API_KEY|HASH_SECRET|ENCRYPTION_KEYS)(?:=|: )(['"]?)([^\s'"`]{8,})\2/g
    const found = documents
      .filter((path) => /\.(md|yml)$/.test(path))
      .flatMap((path) => [...readDocument(path).matchAll(assignment)].map((match) => match[3] ?? ''))
    const literal = found.filter((value) => !/^[$<…{]|^\/run\/secrets\//.test(value))
    expect(literal).to.deep.equal([])
  })
})
