import { randomBytes } from 'node:crypto'
import Joi from 'joi'
import { generateAdminKey } from '../core/casino/api-key.ts'
import { localMark } from '../core/platform/example-secrets.ts'
import type { OwnSecrets } from '../core/platform/example-secrets.ts'
import { findFileText, writePrivateFile } from './private-file.ts'

const schema = Joi.object<OwnSecrets>({
  ADMIN_API_KEY: Joi.string().required(),
  HASH_SECRET: Joi.string().required(),
  ENCRYPTION_KEYS: Joi.string().required(),
})

/**
 * The secrets of this installation: made on the first start and kept, because keys and delivery details in the database
 * can be read only with the secrets they were written with. They are marked, and production refuses them. Rejects when
 * the file is damaged, rather than making new ones.
 */
export async function loadSecrets(path: string): Promise<OwnSecrets> {
  const text = await findFileText(path)
  if (text !== undefined) return parse(path, text)
  const secrets: OwnSecrets = {
    ADMIN_API_KEY: generateAdminKey(localMark),
    HASH_SECRET: `${localMark}-${randomBytes(32).toString('base64url')}`,
    ENCRYPTION_KEYS: `${localMark}:${randomBytes(32).toString('base64')}`,
  }
  await writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

function parse(path: string, text: string): OwnSecrets {
  try {
    const secrets: OwnSecrets = Joi.attempt(JSON.parse(text), schema)
    return secrets
  } catch {
    throw new Error(`${path} is damaged: repair it, or delete it together with the data that it belongs to`)
  }
}
