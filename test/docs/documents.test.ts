import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { readDocument } from './markdown.ts'

const root = join(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  'bench/README.md',
  'bench/tried.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const sources = ['api', 'worker', 'core', 'prisma', 'local', 'bench', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|prisma|sql)$/.test(name) && !name.startsWith('generated'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  .concat(
    readDocument('package.json'),
    readDocument('tsconfig.json'),
    readDocument('deploy/helm/casino-rewards/values.yaml'),
  )
  .join('\n')

const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Names from other software. */
const elsewhere = new Set(['terminationGracePeriodSeconds'])

/** The texts in code marks, outside fenced blocks. */
function codeWords(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
}

for (const document of documents) {
  describe(document, () => {
    const text = readDocument(document)

    it('has links with existing targets', () => {
      const broken = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].filter(
        ([, path = '', anchor]) => {
          const target = path === '' ? document : join(dirname(document), path)
          if (!existsSync(join(root, target))) return true
          if (anchor === undefined) return false
          const headings = readDocument(target).match(/^#+ .*$/gm) ?? []
          return !headings.some((heading) => anchorOf(heading.replace(/^#+ /, '')) === anchor)
        },
      )
      expect(broken.map(([link]) => link)).to.deep.equal([])
    })

    it('has no table cell of more than 300 characters: prose goes under headings', () => {
      const cells = text
        .replace(/^```[\s\S]*?^```/gm, '')
        .split('\n')
        .filter((line) => /^ *\|/.test(line))
        .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
      expect(cells.filter((cell) => cell.length > 300 && !/^-+$/.test(cell))).to.deep.equal([])
    })

    it('names files and folders that exist', () => {
      const paths = codeWords(text).filter((word) =>
        /^(api|worker|core|prisma|local|bench|test|docs)\/[a-z0-9./-]*$/.test(word),
      )
      expect(paths.filter((path) => !existsSync(join(root, path)))).to.deep.equal([])
    })

    it('names existing scripts', () => {
      const named = [
        ...text.matchAll(/(?<=[`\n&] ?)npm (?:(start|test)\b|run (?:--silent )?([a-z]+(?::[a-z]+)*))/g),
      ]
      const missing = named.map(([, own, name]) => own ?? name ?? '').filter((name) => !(name in scripts))
      expect(missing).to.deep.equal([])
    })

    it('names functions and options of the code', () => {
      const names = codeWords(text).filter((word) => /^[a-z]+[A-Z]\w*$/.test(word) && !elsewhere.has(word))
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).to.deep.equal([])
    })
  })
}
