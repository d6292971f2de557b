import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startChild } from '../../local/child.ts'
import type { S3Settings } from '../../tools/archive/s3-settings.ts'
import { eventually } from './eventually.ts'

/** The bucket that every server has. */
export const bucket = 'archive-of-tests'

/** The only key that the server accepts. It comes with it. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** A real S3 server (s3rver), in a process of its own. It keeps its objects in a folder, and so beyond its end. */
export interface S3Server {
  port: number
  /** Ends it immediately. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startS3Server(folder: string): Promise<S3Server> {
  const lines: string[] = []
  const child = await startChild({
    command: process.execPath,
    args: [join(import.meta.dirname, 's3-server-main.mjs'), folder, bucket],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGTERM', waitMs: 5_000 }],
    onLine: (line) => lines.push(line),
  })
  await eventually('the S3 server listens', () => child.hasEnded() || lines.length > 0)
  const port = Number(lines[0])
  if (!(port > 0)) throw new Error(`the S3 server did not start:\n${lines.join('\n')}`)
  return {
    port,
    kill: async () => {
      process.kill(child.pid, 'SIGKILL')
      await child.ended
    },
    stop: child.stop,
  }
}

/** Through any port that leads to a server. */
export const settingsOf = (port: number): S3Settings => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: 'us-east-1',
  credentials,
  forcePathStyle: true,
  partBytes: 16 * 1024 * 1024,
  timeoutMs: 20_000,
})

/** The same for a program. */
export const variablesOf = (port: number): Record<string, string> => ({
  AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
})

/** The objects of the bucket, by key, as the server has them in its folder. */
export async function readObjects(folder: string): Promise<Map<string, Buffer>> {
  const suffix = '._S3rver_object'
  const names = await readdir(join(folder, bucket), { recursive: true })
  const objects = new Map<string, Buffer>()
  for (const name of names.filter((found) => found.endsWith(suffix)).sort())
    objects.set(name.slice(0, -suffix.length), await readFile(join(folder, bucket, name)))
  return objects
}

export async function writeObject(port: number, Key: string, Body: Buffer): Promise<void> {
  const client = createS3Client(port)
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  client.destroy()
}

export async function removeObject(port: number, Key: string): Promise<void> {
  const client = createS3Client(port)
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
  client.destroy()
}

function createS3Client(port: number): S3Client {
  const { endpoint = '', region = '', forcePathStyle } = settingsOf(port)
  return new S3Client({ endpoint, region, credentials, forcePathStyle })
}
