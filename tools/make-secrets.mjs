/**
 * Makes the secrets of an installation as files, which docker-compose.yml hands to its containers: random ones for what is
 * missing. What is there stays: with other secrets, what is in the database could not be read any more.
 *
 *   node tools/make-secrets.mjs [folder]     default: secrets
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? 'secrets'

/** Letters, digits, `-` and `_`, so that they need no escapes in an address. */
const random = (bytes) => randomBytes(bytes).toString('base64url')

// The owner alone may enter. Inside, containers read the files as users that this machine does not know.
mkdirSync(folder, { recursive: true, mode: 0o700 })
let made = 0

/** The content of a file, which is made if it is not there. */
function ensure(name, make) {
  const path = join(folder, name)
  if (existsSync(path)) return readFileSync(path, 'utf8').trimEnd()
  const secret = make()
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(path, 0o444)
  made += 1
  return secret
}

ensure('admin_api_key', () => random(24))
ensure('hash_secret', () => random(32))
ensure('encryption_keys', () => `key-1:${randomBytes(32).toString('base64')}`)
const postgresPassword = ensure('postgres_password', () => random(24))
const redisPassword = ensure('redis_password', () => random(24))
ensure('database_url', () => `postgresql://rewards:${postgresPassword}@postgres:5432/rewards`)
ensure('redis_url', () => `redis://default:${redisPassword}@redis:6379`)

console.log(
  `${folder}: ${made} secrets made, ${7 - made} were there. Keep a copy of encryption_keys and hash_secret elsewhere.`,
)
