/** `npm sbom` leaves out packages that are wanted in development too. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes, runMain } from './terminal/program.mjs'

const usage = `npm run --silent sbom

Prints a software bill of materials (CycloneDX 1.5) of what production installs: everything in the lockfile but
development packages and optional ones, as npm ci --omit=dev --omit=optional takes it.`

runMain({ usage }, () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const bom = createBom(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  console.log(JSON.stringify(bom, null, 2))
  return exitCodes.done
})

function createBom(lockfile) {
  const { name, version, packages } = JSON.parse(lockfile)
  const shipped = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.optional,
  )
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    // The same lockfile gives the same list, to the byte.
    serialNumber: `urn:uuid:${uuidOf(lockfile)}`,
    version: 1,
    metadata: {
      component: { 'bom-ref': '.', type: 'application', name, version, purl: `pkg:npm/${name}@${version}` },
    },
    components: shipped.map(([path, entry]) => toComponent(path, entry)),
    dependencies: [['', packages['']], ...shipped].map(([path, entry]) => ({
      ref: refOf(path),
      dependsOn: Object.keys(entry.dependencies ?? {})
        .map((wanted) => refOf(resolveFrom(packages, path, wanted)))
        .sort(),
    })),
  }
}

function toComponent(path, entry) {
  const fullName = entry.name ?? nameOf(path) // some are installed under another name
  const [group, short] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName]
  return {
    'bom-ref': refOf(path),
    type: 'library',
    ...(group === undefined ? {} : { group }),
    name: short,
    version: entry.version,
    purl: `pkg:npm/${fullName.replace('@', '%40')}@${entry.version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(entry.integrity.slice(7), 'base64').toString('hex') }],
    ...(entry.license === undefined ? {} : { licenses: [{ expression: expressionOf(entry.license) }] }),
  }
}

/** SPDX writes operators in capitals. */
function expressionOf(license) {
  return license.replace(/ (and|or) /g, (operator) => operator.toUpperCase())
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Several versions of a package differ in where they are. */
function refOf(path) {
  return path === '' ? '.' : path
}

/** Where Node finds a package: in the folder of the package that needs it, or in one further up. */
function resolveFrom(packages, path, wanted) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder}${folder === '' ? '' : '/'}node_modules/${wanted}`
    if (candidate in packages) return candidate
    if (folder === '')
      throw new Error(`${wanted}, which ${path || 'the project'} needs, is not in the lockfile`)
  }
}

function uuidOf(content) {
  const hex = createHash('sha256').update(content).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
