/**
 * Guards the architecture: which part may import which, and a few habits that a linter cannot see.
 * Plain text checks on purpose: no compiler API, so it works with any TypeScript version.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { findModels, findStatements, findTableUses } from './support/statements.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * The parts that each part may import. A part is a path prefix; the longest one that fits counts. Every part may import
 * itself.
 * Inside core: nouns use mechanisms, mechanisms use the platform, and decisions (below) use neither.
 */
const mechanisms = [
  'core/batch',
  'core/crypto',
  'core/idempotency',
  'core/outbox',
  'core/queue',
  'core/set-aside',
]
/** For the nouns that call other systems. */
const outbound = ['core/partner', 'core/outbound']
const basics = [
  'core/platform',
  'core/errors.ts',
  'core/money.ts',
  'core/state-machine.ts',
  'core/page.ts',
  'core/shape',
  'core/trace',
]
const mayImport: Record<string, readonly string[]> = {
  api: ['api', 'core'],
  'api/endpoints': [
    'api/parse-input.ts',
    'api/inputs.ts',
    'api/paging.ts',
    'api/choose-encoding.ts',
    'api/deps.ts',
    'api/endpoint.ts',
    'api/shapes',
    'core',
  ],
  'api/middleware': [
    'api/error-response.ts',
    'api/deps.ts',
    'api/endpoint.ts',
    'api/logged-request.ts',
    'api/named-objects.ts',
    'api/parse-input.ts',
    'api/route-state.ts',
    'api/route.ts',
    'core',
  ],
  'api/shapes': ['api/parse-input.ts', 'api/inputs.ts', 'core'],
  'api/admin': [
    'api/parse-input.ts',
    'api/inputs.ts',
    'api/paging.ts',
    'api/deps.ts',
    'api/endpoint.ts',
    'api/shapes',
    'api/route.ts',
    'api/route-state.ts',
    'api/openapi/description.ts',
    // A route has a described path, and the schema of its body decides which requests count as the same.
    'api/openapi/descriptions.ts',
    'api/openapi/reason-place.ts',
    'api/error-response.ts',
    'core',
  ],
  'api/ops': [
    'api/middleware/authenticate.ts',
    'api/middleware/client-address.ts',
    'api/middleware/cross-site.ts',
    'api/middleware/session-cookie.ts',
    'api/audited.ts',
    'api/built-pages.ts',
    'api/choose-encoding.ts',
    'api/encoded-text.ts',
    'api/parse-input.ts',
    'api/deps.ts',
    'api/error-response.ts',
    'api/route-state.ts',
    'core',
  ],
  worker: ['worker', 'core'],
  'worker/maintenance': ['worker/deps.ts', 'core'],
  // Runs in browsers, and knows only the OpenAPI document of the service.
  console: ['client'],
  prisma: ['prisma', 'core/platform', 'core/queue'],
  // They read the input of a box as the API does, and the OpenAPI document; they use nothing else of the API.
  tools: ['core', 'api/parse-input.ts', 'api/inputs.ts', 'api/admin/box-input.ts', 'api/openapi'],
  core: [],
  'core/shape': [],
  'core/page.ts': ['core/platform'],
  'core/platform': ['core/errors.ts', 'prisma/generated'],
  'core/trace': ['core/platform', 'core/errors.ts'],
  'core/batch': [...basics],
  'core/crypto': [...basics],
  'core/idempotency': ['core/batch', 'core/crypto', 'core/set-aside', ...basics],
  'core/queue': [...basics],
  'core/set-aside': [...basics],
  'core/partner': ['core/crypto', ...basics],
  'core/outbox': ['core/queue', 'core/set-aside', ...basics],
  'core/outbound': ['core/batch', 'core/outbox', 'core/partner', 'core/queue', 'core/set-aside', ...basics],
  'core/limit': ['core/queue', ...basics],
  'core/search': ['core/operator', ...basics],
  'core/process': [...mechanisms, ...basics],
  'core/casino': ['core/event', 'core/partner', ...mechanisms, ...basics],
  'core/operator': ['core/casino', 'core/limit', 'core/partner', ...mechanisms, ...basics],
  'core/item': [...mechanisms, ...basics],
  'core/player': ['core/fairness', ...mechanisms, ...basics],
  'core/prize': ['core/casino', 'core/event', 'core/item', 'core/player', ...mechanisms, ...basics],
  'core/fairness': [...mechanisms, ...basics],
  'core/box': [
    'core/prize',
    'core/item',
    'core/fairness',
    'core/event',
    'core/player',
    ...mechanisms,
    ...basics,
  ],
  'core/grant': ['core/box', 'core/player', ...mechanisms, ...basics],
  'core/note': ['core/prize', ...mechanisms, ...basics],
  'core/ledger': [...mechanisms, ...basics],
  'core/archive': [...mechanisms, ...basics],
  'core/event': ['core/partner', ...mechanisms, ...basics],
  'core/webhook': ['core/casino', 'core/event', ...outbound, ...mechanisms, ...basics],
  'core/prize-order': ['core/prize', 'core/casino', 'core/event', ...outbound, ...mechanisms, ...basics],
  'core/audit': ['core/event', ...mechanisms, ...basics],
  'core/privacy': [
    'core/archive',
    'core/operator',
    'core/casino',
    'core/cashback',
    'core/webhook',
    'core/prize-order',
    'core/ledger',
    'core/note',
    'core/event',
    ...mechanisms,
    ...basics,
  ],
  'core/act': [
    'core/operator',
    'core/casino',
    'core/cashback',
    'core/webhook',
    'core/prize-order',
    'core/prize',
    'core/event',
    ...outbound,
    ...mechanisms,
    ...basics,
  ],
  'core/timeline': [
    'core/audit',
    'core/cashback',
    'core/event',
    'core/note',
    'core/prize',
    'core/prize-order',
    'core/webhook',
    ...mechanisms,
    ...basics,
  ],
  'core/cashback': [
    'core/prize',
    'core/casino',
    'core/event',
    'core/ledger',
    ...outbound,
    ...mechanisms,
    ...basics,
  ],
}

/** Decisions are pure: they import no I/O, not even indirectly through these. */
const decisions =
  /^core\/(.*\/(decide-[a-z-]+|[a-z-]+-outcome|state|draw|derive|fraction|box-definition|box-report|box-warnings|box|prize|order|cashback|course|wallet-answer|done-answers|delivery|attempt|event-names|item-kinds)|money|state-machine)\.ts$/
const pureImports =
  /^core\/(.*\/(decide-[a-z-]+|[a-z-]+-outcome|state|draw|derive|fraction|box-definition|box-report|box-warnings|box|prize|order|cashback|course|wallet-answer|done-answers|delivery|attempt|event-names|item-kinds)|money|state-machine|errors)\.ts$/

/** Packages and globals that only these paths may touch. */
const onlyIn: readonly { what: RegExp; where: RegExp; why: string }[] = [
  { what: /from '(koa|@koa\/router|koa-bodyparser)'/, where: /^api\//, why: 'HTTP stays in api/' },
  {
    what: /from 'ioredis'/,
    where: /^core\/platform\/redis\.ts$/,
    why: 'Redis connections are made once',
  },
  {
    what: /from 'pg'/,
    where:
      /^(core\/(platform\/(pool|database|raw-statements)|queue\/(queue-backend|patient-pool))|prisma\/.*)\.ts$/,
    why: 'pools are made once',
  },
  {
    what: /^import (?!type )[^']*from 'pg'/m,
    where: /^core\/platform\/pool\.ts$/,
    why: 'every pool survives the loss of a connection that is lent',
  },
  {
    what: /\b(Counter|Histogram|Summary)\b[^']*from 'prom-client'/,
    where: /^core\/platform\/known-series\.ts$/,
    why: 'every series begins at 0',
  },
  {
    what: /'@opentelemetry\/|import\('\.\/otlp-tracer/,
    where: /^core\/trace\/(otlp-tracer|open-tracer)\.ts$/,
    why: 'tracing is loaded only when it is on',
  },
  {
    what: /'@aws-sdk\/|s3-store\.ts'/,
    where: /^tools\/archive\/(s3-store|s3-settings|open-store)\.ts$/,
    why: 'the client of S3 is loaded only with --store',
  },
  {
    what: /from 'openid-client'/,
    where: /^core\/operator\/identity-provider\.ts$/,
    why: 'its calls go out through our client, and its errors are translated there',
  },
  {
    what: /from 'bullmq'/,
    where: /^(core\/queue\/.*|worker\/jobs)\.ts$/,
    why: 'BullMQ is behind core/queue',
  },
  {
    what: /\bfetch\(|^import (?!type )[^']*from '(undici|axios|got|node:(https|http2|net|tls|dgram))'|^import (?!type |\{ (createServer|STATUS_CODES) \})[^']*from 'node:http'|\bimport\('(undici|node:(http|net|tls))/m,
    where: /^core\/partner\/http-client\.ts$/,
    why: 'outside calls go through one client',
  },
  {
    what: /^import (?!type )[^']*from '(node:)?dns(\/promises)?'|\bimport\('(node:)?dns/m,
    where: /^core\/partner\/resolve-name\.ts$/,
    why: 'the system looks names up in few threads, without a time-out',
  },
  {
    what: /Joi\.object</,
    where: /^core\/(shape|platform)\/|^tools\//,
    why: 'requestOf takes the type of a request from its schema',
  },
  { what: /process\.env/, where: /^core\/platform\/config\.ts$/, why: 'configuration is parsed once' },
  {
    what: /new Date\(\)|Date\.now\(\)|performance\.now/,
    where: /^core\/platform\/clock\.ts$|^console\//,
    why: 'time comes from the clock',
  },
  {
    what: /\bsystemClock\b/,
    // A simulation does not use a database.
    where: /^(core\/platform\/(clock|database-clock)|tools\/simulate)\.ts$/,
    why: 'what is decided goes by the clock of the database, not of the machine',
  },
  {
    what: /\$transaction\(/,
    where: /^nowhere$/,
    why: 'interactive transactions are not atomic on time-out, and $inTransaction takes our statements',
  },
  {
    what: /\$inTransaction\(\[/,
    where: /^core\/(casino\/casino-turn|privacy\/erase-deliveries)\.ts$/,
    why: 'a change is one guarded statement',
  },
  {
    what: /\}::(?:\w+\[\]|timestamptz)/,
    where: /^core\/platform\/sql\.ts$/,
    why: 'arrays and times are written by the type of their column',
  },
  {
    what: /\$queryRaw`/,
    where: /^nowhere$/,
    why: 'rows that are read have a type, which a test compares with the columns',
  },
  {
    what: /\$(query|execute)RawUnsafe/,
    where: /^nowhere$/,
    why: 'SQL texts are constant, values are parameters',
  },
]

const linesMax = 250
/** As many lines as fit on two screens; a longer statement is made of named fragments. */
const statementLinesMax = 90
/** A longer list of columns cannot be matched with its values by eye: `insertInto` has them side by side. */
const listedColumnsMax = 4

/** Files that write a table of another noun, and the reason why no fragment of its owner does it. */
const writesOfOthers: Readonly<Record<string, string>> = {
  'core/box/store-openings.ts: opening_grant':
    'an opening uses a grant up in its own statement, and grants are given for boxes',
  'core/privacy/erase-player.ts: player': 'erasing knows what is personal in the tables of others',
  'core/privacy/erase-deliveries.ts: prize_order': 'as above',
  'core/privacy/erase-deliveries.ts: partner_event': 'as above',
  'core/webhook/endpoint-revisions.ts: casino': 'endpoints are deleted, and their casino stays',
  'worker/maintenance/relay-outbox.ts: outbox': 'the relay is the outbox’s other half',
}

/** Nouns whose statements use tables of a noun that uses theirs, and why. Without these there is no circle. */
const usesAgainstTheOrder: Readonly<Record<string, string>> = {
  'box -> grant': 'openings are admitted by grants, which are given for boxes',
  'fairness -> box': 'a seed is rotated after so many openings',
  'event -> prize': 'the feed adds what never changes about the objects of its events',
  'event -> prize-order': 'as above',
  'event -> cashback': 'as above',
  'casino -> cashback': 'lifting the pause of a setting wakes what waits for it, in the same statement',
  'casino -> prize-order': 'as above',
}

interface Source {
  path: string
  text: string
  imports: string[]
}

const sources: Source[] = ['api', 'worker', 'core', 'prisma', 'tools', 'console'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(join(root, path), 'utf8')
      const imports = [...text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)'/g)].map((match) =>
        relative(root, normalize(join(root, dirname(path), match[1] ?? ''))),
      )
      return { path, text, imports }
    }),
)

const isIn = (path: string, part: string) => path === part || path.startsWith(`${part}/`)
const partOf = (path: string): string =>
  Object.keys(mayImport)
    .filter((part) => isIn(path, part))
    .sort((a, b) => b.length - a.length)[0] ?? 'unknown'
const isAllowed = (from: string, to: string) =>
  partOf(to) === partOf(from) || (mayImport[partOf(from)] ?? []).some((allowed) => isIn(to, allowed))

const models = findModels(readFileSync(join(root, 'prisma/schema.prisma'), 'utf8'))

/** The table in "Which noun owns which tables": table → noun. */
const owners = new Map(
  [
    ...readFileSync(join(root, 'docs/contribute/architecture.md'), 'utf8').matchAll(
      /^\| `([a-z-]+)` +\| ((?:`\w+`(?:, )?)+) *\|$/gm,
    ),
  ].flatMap(([, noun = '', tables = '']) =>
    [...tables.matchAll(/\w+/g)].map(([table]): [string, string] => [table, noun]),
  ),
)

/** The folder of a source inside `core`, or else its top-level folder. */
const nounOf = (path: string) => /^core\/([^/]+)\//.exec(path)?.[1] ?? dirname(path).split('/')[0] ?? ''
const isNoun = (noun: string) => sources.some(({ path }) => path.startsWith(`core/${noun}/`))
const unique = (values: readonly string[]) => [...new Set(values)]

const tableUses = sources.flatMap(({ path, text }) =>
  findTableUses(text, models).map((use) => ({ ...use, path, noun: nounOf(path) })),
)

/** The circles found by following every edge once, as `a -> b -> a`. */
function circlesIn(targetsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): string[] => {
    if (trail.includes(node)) return [[...trail.slice(trail.indexOf(node)), node].join(' -> ')]
    if (done.has(node)) return []
    const found = (targetsOf.get(node) ?? []).flatMap((to) => visit(to, [...trail, node]))
    done.add(node)
    return found
  }
  return [...targetsOf.keys()].flatMap((node) => visit(node, []))
}

describe('architecture', () => {
  it('covers the code that it is meant to check', () => {
    expect(sources.length).to.be.greaterThan(30)
    expect(sources.flatMap((source) => source.imports).length).to.be.greaterThan(100)
    expect(sources.filter((source) => decisions.test(source.path)).length).to.be.greaterThan(5)
  })

  it('imports only in the allowed directions', () => {
    const broken = sources.flatMap((source) =>
      source.imports.filter((to) => !isAllowed(source.path, to)).map((to) => `${source.path} -> ${to}`),
    )
    expect(broken).to.deep.equal([])
  })

  it('has no import cycles', () => {
    expect(circlesIn(new Map(sources.map(({ path, imports }) => [path, imports])))).to.deep.equal([])
  })

  it('keeps decisions free of I/O', () => {
    const broken = sources
      .filter((source) => decisions.test(source.path))
      .flatMap((source) => [
        ...source.imports.filter((to) => !pureImports.test(to)).map((to) => `${source.path} -> ${to}`),
        ...(/\b(await|Promise)\b/.test(source.text) ? [`${source.path} waits for something`] : []),
      ])
    expect(broken).to.deep.equal([])
  })

  it('keeps each package and global in its place', () => {
    const broken = sources.flatMap((source) =>
      onlyIn
        .filter((rule) => rule.what.test(source.text) && !rule.where.test(source.path))
        .map((rule) => `${source.path}: ${rule.why}`),
    )
    expect(broken).to.deep.equal([])
  })

  it('has no statement that is too long to read', () => {
    const statements = sources.flatMap(({ path, text }) =>
      findStatements(text).map((statement) => ({ ...statement, path })),
    )
    expect(statements.length, 'statements that were found').to.be.greaterThan(150)
    const long = statements.filter(({ lines }) => lines > statementLinesMax)
    expect(long.map(({ path, line, lines }) => `${path}:${line}: ${lines} lines`)).to.deep.equal([])
  })

  it('uses Prisma’s models for plain reads and writes by key, and raw SQL otherwise', () => {
    const plain = /^`\s*(SELECT [^(]*? FROM \w+|UPDATE \w+ SET [^(]*?|DELETE FROM \w+) WHERE [^(]*`$/
    // A literal value in a statement is there because a partial index needs it.
    const beyondPrisma =
      /\b(RETURNING|SELECT DISTINCT|OR|JOIN|FOR (NO KEY )?UPDATE|SKIP LOCKED|ANY|IN)\b|\+|= '|\$\{(?!value\})/
    const withoutValues = (text: string) =>
      text.replaceAll(/\$\{(instant\([^{}]*\)\}|[^{}]*\}::\w+)/g, '$${value}')
    const found = sources.flatMap(({ path, text }) =>
      findStatements(text)
        .filter(() => /^(core|api|worker)\//.test(path))
        .map((statement) => ({ ...statement, flat: withoutValues(statement.text).replaceAll(/\s+/g, ' ') }))
        .filter(({ flat }) => plain.test(flat) && !beyondPrisma.test(flat))
        .filter(({ line }) => /\$(queryRaw|executeRaw)/.test(text.split('\n')[line - 1] ?? ''))
        .map(({ line }) => `${path}:${line}`),
    )
    expect(found).to.deep.equal([])
  })

  it('inserts no more than a few columns by two lists that must match', () => {
    const insertions = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/INSERT INTO\s+(\w+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)/g)].map(
        ([, table = '', columns = '']) => ({ name: `${path}: ${table}`, count: columns.split(',').length }),
      ),
    )
    expect(insertions.length, 'insertions that were found').to.be.greaterThan(3)
    const long = insertions.filter(({ count }) => count > listedColumnsMax)
    expect(long.map(({ name, count }) => `${name}: ${count} columns`)).to.deep.equal([])
  })

  it('writes every table in the files of the noun that owns it', () => {
    expect([...owners.keys()], 'docs/contribute/architecture.md').to.have.members([...models.values()])
    const written = tableUses.filter(({ noun, table, writes }) => writes && noun !== owners.get(table))
    expect(unique(written.map(({ path, table }) => `${path}: ${table}`))).to.have.members(
      Object.keys(writesOfOthers),
    )
  })

  it('uses other nouns and their tables in one direction, except where a reason is given', () => {
    const used = unique([
      ...sources.flatMap(({ path, imports }) => imports.map((to) => `${nounOf(path)} -> ${nounOf(to)}`)),
      ...tableUses.map(({ noun, table }) => `${noun} -> ${owners.get(table) ?? 'nobody'}`),
    ]).filter((use) => {
      const [from = '', to = ''] = use.split(' -> ')
      return from !== to && isNoun(from) && isNoun(to)
    })
    const circlesOf = (uses: readonly string[]) => {
      const edges = uses.map((use) => use.split(' -> '))
      const targetsOf = (noun: string) => edges.flatMap(([from, to = '']) => (from === noun ? [to] : []))
      return circlesIn(new Map(edges.map(([noun = '']) => [noun, targetsOf(noun)])))
    }
    const inOrder = used.filter((use) => !(use in usesAgainstTheOrder))
    expect(circlesOf(inOrder)).to.deep.equal([])
    const needed = used.filter((use) => !inOrder.includes(use) && circlesOf([...inOrder, use]).length > 0)
    expect(Object.keys(usesAgainstTheOrder), 'reasons that are still needed').to.have.members(needed)
  })

  it('compares credentials with timingSafeEqual only', () => {
    const shown = String.raw`(secretHash|hashApiKeySecret\(.*\)|adminApiKey|[sS]ignature|digest\(.*\))`
    const otherwise = new RegExp(
      String.raw`${shown}\s*[!=]==?(?!=|\s*(?:undefined|null)\b)|[!=]==?\s*[\w.]*${shown}|${shown}\.equals\(|\.(equals|compare)\(.*${shown}`,
    )
    const broken = sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (otherwise.test(line) ? [`${path}: ${line.trim()}`] : [])),
    )
    expect(broken).to.deep.equal([])
    const using = sources.filter(({ text }) => /secretHash|hashApiKeySecret/.test(text))
    const others = using.filter(({ text }) => !text.includes('timingSafeEqual(')).map(({ path }) => path)
    expect(others, 'beside where they are compared, they are made and stored').to.deep.equal([
      'core/casino/new-api-key.ts',
    ])
  })

  it('accepts no list from callers without a limit that is checked first', () => {
    const broken = sources.filter(
      ({ path, text }) => /Joi\.array[(<]/.test(text) && /^(api|core)\//.test(path),
    )
    expect(broken.map(({ path }) => path)).to.deep.equal(['core/platform/bounded-list.ts'])
  })

  it('passes the admin key only to digests, because the duration of a search for it would reveal it', () => {
    const uses = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => /adminApiKey|ADMIN_API_KEY/.test(line) && /^(api|core|worker)\//.test(path))
        .filter((line) => !/isSameSecret\(|\.update\(config\.adminApiKey\)|isAdminKey\(/.test(line))
        .map(() => path),
    )
    expect([...new Set(uses)].sort(), 'beside where it is read, and typed').to.deep.equal([
      'core/platform/config-variables.ts',
      'core/platform/config.ts',
      'core/platform/example-secrets.ts',
      'core/platform/production.ts',
    ])
  })

  it('has no barrel files, default exports or leftovers', () => {
    const broken = sources.flatMap((source) => [
      ...(source.path.endsWith('/index.ts') ? [`${source.path}: barrel`] : []),
      ...(/^export default /m.test(source.text) ? [`${source.path}: default export`] : []),
      ...(/\b(TODO|FIXME|XXX)\b/.test(source.text) ? [`${source.path}: leftover`] : []),
    ])
    expect(broken).to.deep.equal([])
  })

  it('has no program of too many lines, apart from the one that auditors read as a whole', () => {
    const folders = ['api', 'worker', 'core', 'prisma', 'tools', 'console', 'local', 'bench', 'client']
    const long = folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.startsWith('generated'))
          .map((name) => join(folder, name)),
      )
      .filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > linesMax)
    expect(long).to.deep.equal(['tools/verify.mjs'])
  })
})
