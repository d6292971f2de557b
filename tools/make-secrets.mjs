import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { exitCodes, runMain } from './terminal/program.mjs'

const usage = `node tools/make-secrets.mjs [FOLDER]

Makes the secrets of an installation as files in the folder (secrets), which docker-compose.yml hands to its containers:
random ones for what is missing. What is there stays: with other secrets, what is in the database could not be read.`

/** Letters, digits, `-` and `_`, so that they need no escapes in an address. */
const random = (bytes) => randomBytes(bytes).toString('base64url')

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomText = (length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

runMain({ usage, positionalsMax: 1 }, ([folder = 'secrets']) => {
  // The owner alone may enter. Inside, containers read the files as users that this machine does not know.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let made = 0
  const ensureHere = (name, make) => {
    const { secret, isMade } = ensure(folder, name, make)
    if (isMade) made += 1
    return secret
  }
  ensureHere('admin_api_key', makeAdminKey)
  ensureHere('hash_secret', () => random(32))
  ensureHere('encryption_keys', () => `key-1:${randomBytes(32).toString('base64')}`)
  const postgresPassword = ensureHere('postgres_password', () => random(24))
  const redisPassword = ensureHere('redis_password', () => random(24))
  // The owner migrates; the service's own role, which migrating makes, can do less.
  ensureHere('migrate_database_url', () => `postgresql://rewards:${postgresPassword}@postgres:5432/rewards`)
  const servicePassword = ensureHere('service_password', () => random(24))
  ensureHere('database_url', () => `postgresql://rewards_service:${servicePassword}@postgres:5432/rewards`)
  ensureHere('grafana_password', () => random(24))
  ensureHere('redis_url', () => `redis://default:${redisPassword}@redis:6379`)
  console.log(
    `${folder}: ${made} secrets made, ${10 - made} were there. Keep a copy of encryption_keys and hash_secret elsewhere.`,
  )
  return exitCodes.done
})

/** In the form of core/casino/api-key.ts, by which it is recognised where it does not belong. */
function makeAdminKey() {
  const key = `${randomText(16)}_${randomText(32)}`
  let rest = crc32(`admin/${key}`)
  let checksum = ''
  for (let i = 0; i < 6; i++) {
    checksum = alphabet[rest % alphabet.length] + checksum
    rest = Math.floor(rest / alphabet.length)
  }
  return `rk_admin_${key}${checksum}`
}

/** The content of a file, which is made if it is not there. */
function ensure(folder, name, make) {
  const path = join(folder, name)
  if (existsSync(path)) return { secret: readFileSync(path, 'utf8').trimEnd(), isMade: false }
  const secret = make()
  // Without a line break at the end: not all readers remove it. KEDA hands the address of the database on as it is.
  writeFileSync(path, secret, { mode: 0o600, flag: 'wx' })
  chmodSync(path, 0o444)
  return { secret, isMade: true }
}
