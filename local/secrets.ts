import { randomBytes } from 'node:crypto'
import Joi from 'joi'
import { findFileText, writePrivateFile } from './private-file.ts'

/** What the services keep secret, under the names of their variables. */
export interface Secrets {
  ADMIN_API_KEY: string
  HASH_SECRET: string
  ENCRYPTION_KEYS: string
}

const schema = Joi.object<Secrets>({
  ADMIN_API_KEY: Joi.string().required(),
  HASH_SECRET: Joi.string().required(),
  ENCRYPTION_KEYS: Joi.string().required(),
})

/**
 * The secrets of this installation: made on the first start and kept, because keys and delivery details in the database
 * can be read only with the secrets they were written with. Rejects when the file is damaged, rather than making new ones.
 */
export async function loadSecrets(path: string): Promise<Secrets> {
  const text = await findFileText(path)
  if (text !== undefined) return parse(path, text)
  const secrets: Secrets = {
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
    HASH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `local:${randomBytes(32).toString('base64')}`,
  }
  await writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

function parse(path: string, text: string): Secrets {
  try {
    const secrets: Secrets = Joi.attempt(JSON.parse(text), schema)
    return secrets
  } catch {
    throw new Error(`${path} is damaged: repair it, or delete it together with the data that it belongs to`)
  }
}
