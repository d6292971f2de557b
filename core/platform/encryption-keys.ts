/** A key-encryption key: 32 bytes under the id that is stored beside the encrypted data. */
export interface EncryptionKey {
  id: string
  key: Buffer
}

/** Of the form `id:base64,id:base64`, which the schema of the variables has checked. */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  return text.split(',').map((part) => {
    const colon = part.indexOf(':')
    return { id: part.slice(0, colon), key: Buffer.from(part.slice(colon + 1), 'base64') }
  })
}
