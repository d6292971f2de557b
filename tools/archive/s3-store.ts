import { setTimeout as delay } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { CompletedPart, GetObjectCommandInput, GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { isCutOff, S3Error, toS3Error } from './s3-problem.ts'
import type { S3Place, S3Settings } from './s3-settings.ts'
import { ReplacedFileError } from './store.ts'
import type { Store } from './store.ts'

/** The client repeats a request that is not answered. An answer that is cut off is asked for as often. */
const attemptsMax = 3

/** Of an upload, by the protocol. */
const partsMax = 10_000

/** A part of a file, and of which. */
interface Range {
  bytes: Buffer
  size: number
  version: string
}

/** Only if the file is still of this version, or if there is none. */
interface Condition {
  IfMatch?: string
  IfNoneMatch?: '*'
}

/**
 * An S3-compatible store. Besides the settings, the client reads the usual variables and files of AWS. Files are written
 * and read in parts, so that one part is in memory, every request is short and can be repeated, and no connection has to
 * outlast a pause of the database. An upload has no name until it is complete.
 */
export function createS3Store({ bucket, prefix }: S3Place, settings: S3Settings): Store {
  const { partBytes, timeoutMs, ...connection } = settings
  const client = new S3Client({
    ...connection,
    maxAttempts: attemptsMax,
    requestHandler: {
      connectionTimeout: Math.min(timeoutMs, 10_000),
      requestTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  })
  const placeOf = (name: string) => `s3://${bucket}/${prefix}${name}`
  const objectOf = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  const explained = async <Result>(name: string, request: () => Promise<Result>): Promise<Result> => {
    try {
      return await request()
    } catch (error) {
      throw toS3Error(placeOf(name), error, timeoutMs)
    }
  }

  /** Undefined without the file. An empty one has no range. */
  const ask = async (name: string, command: GetObjectCommandInput) => {
    try {
      return await explained(name, () => client.send(new GetObjectCommand(command)))
    } catch (error) {
      const code = error instanceof S3Error ? error.code : undefined
      if (code === 'NoSuchKey') return undefined
      if (code === 'PreconditionFailed') throw new ReplacedFileError(placeOf(name))
      if (code === 'InvalidRange')
        return explained(name, () => client.send(new GetObjectCommand(objectOf(name))))
      throw error
    }
  }

  /** Undefined without the file. If a version is given, the file must still have it. */
  const getRange = async (
    name: string,
    { start, length, version }: { start: number; length: number; version?: string },
  ): Promise<Range | undefined> => {
    const command = {
      ...objectOf(name),
      Range: `bytes=${start}-${start + length - 1}`,
      ...(version === undefined ? {} : { IfMatch: version }),
    }
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(name, command)
      if (answer === undefined) return undefined
      try {
        return await explained(name, () => readRange(answer))
      } catch (error) {
        if (attempt === attemptsMax || !(error instanceof S3Error && isCutOff(error))) throw error
        await delay(attempt * 500)
      }
    }
  }

  async function* read(name: string, first: Range): AsyncGenerator<Buffer> {
    yield first.bytes
    for (let start = first.bytes.length; start < first.size;) {
      const range = await getRange(name, { start, length: partBytes, version: first.version })
      // A range without bytes would be asked for forever.
      if (range?.version !== first.version || range.bytes.length === 0)
        throw new ReplacedFileError(placeOf(name))
      yield range.bytes
      start += range.bytes.length
    }
  }

  /**
   * Gives a file its name on the store's condition. A store that ignores or refuses conditions is asked for the version
   * before, so that only runs in the same moment can replace each other's file.
   */
  const commit = async (
    name: string,
    replaces: string | undefined,
    send: (condition: Condition) => Promise<unknown>,
  ) => {
    const found = await getRange(name, { start: 0, length: 1 })
    if (found?.version !== replaces) throw new ReplacedFileError(placeOf(name))
    try {
      const condition: Condition = replaces === undefined ? { IfNoneMatch: '*' } : { IfMatch: replaces }
      await explained(name, () => send(condition))
    } catch (error) {
      const code = error instanceof S3Error ? error.code : undefined
      if (code === 'PreconditionFailed' || code === 'ConditionalRequestConflict')
        throw new ReplacedFileError(placeOf(name))
      if (code !== 'NotImplemented') throw error
      await explained(name, () => send({}))
    }
  }

  const putParts = async (name: string, parts: AsyncIterable<Buffer>, replaces: string | undefined) => {
    const { UploadId } = await explained(name, () =>
      client.send(new CreateMultipartUploadCommand(objectOf(name))),
    )
    const upload = { ...objectOf(name), UploadId }
    const sent: CompletedPart[] = []
    try {
      for await (const Body of parts) {
        if (sent.length === partsMax)
          throw new Error(`${placeOf(name)} would have more than ${partsMax} parts`)
        const PartNumber = sent.length + 1
        const command = new UploadPartCommand({ ...upload, PartNumber, Body })
        const { ETag, ChecksumCRC32 } = await explained(name, () => client.send(command))
        sent.push({ PartNumber, ETag, ChecksumCRC32 })
      }
      await commit(name, replaces, (condition) =>
        client.send(
          new CompleteMultipartUploadCommand({ ...upload, ...condition, MultipartUpload: { Parts: sent } }),
        ),
      )
    } catch (error) {
      try {
        await client.send(new AbortMultipartUploadCommand(upload))
      } catch {
        // The parts stay without a name, until a rule of the bucket removes them. The first error says more.
      }
      throw error
    }
  }

  return {
    placeOf,
    open: async (name) => {
      const first = await getRange(name, { start: 0, length: partBytes })
      return first === undefined ? undefined : { version: first.version, content: read(name, first) }
    },
    put: async (name, content, replaces) => {
      const parts = intoParts(content, partBytes)
      const first = await parts.next()
      const Body = first.done === true ? Buffer.alloc(0) : first.value
      if (Body.length === partBytes) return putParts(name, startingWith(Body, parts), replaces)
      await commit(name, replaces, (condition) =>
        client.send(new PutObjectCommand({ ...objectOf(name), ...condition, Body })),
      )
    },
  }
}

async function readRange(answer: GetObjectCommandOutput): Promise<Range> {
  const { Body, ETag, ContentRange, ContentLength } = answer
  if (ContentLength === 0) return { bytes: Buffer.alloc(0), size: 0, version: ETag ?? '' }
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? []
  if (Body === undefined || ETag === undefined || size === undefined)
    throw Object.assign(new Error('not a range'), { code: 'NoRange' })
  const bytes = Buffer.from(await Body.transformToByteArray())
  if (bytes.length !== Number(end) - Number(start) + 1)
    throw Object.assign(new Error('cut off'), { code: 'ECONNRESET' })
  return { bytes, size: Number(size), version: ETag }
}

/** Buffers of exactly this length, except for the last one. */
async function* intoParts(
  content: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined> {
  let [chunks, length]: [Buffer[], number] = [[], 0]
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length;) {
      const piece = chunk.subarray(start, start + partBytes - length)
      chunks.push(piece)
      length += piece.length
      start += piece.length
      if (length === partBytes) {
        yield Buffer.concat(chunks)
        ;[chunks, length] = [[], 0]
      }
    }
  }
  if (length > 0) yield Buffer.concat(chunks)
}

async function* startingWith(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* others
}
