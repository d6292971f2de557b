import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { findFreePort } from '../../../local/free-port.ts'
import { createS3Store } from '../../../tools/archive/s3-store.ts'
import { ReplacedFileError } from '../../../tools/archive/store.ts'
import type { Store } from '../../../tools/archive/store.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { startS3Front } from '../../support/s3-front.ts'
import type { Instead } from '../../support/s3-front.ts'
import { bucket, readObjects, settingsOf, startS3Server, writeObject } from '../../support/s3-server.ts'
import type { S3Server } from '../../support/s3-server.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { itInLongForm } from '../../support/runs.ts'

const partBytes = 50_000
const key = 'casinos/archive/file'

describe('The store of files in a bucket', function () {
  this.timeout(60_000)
  let folder: string
  let server: S3Server

  const atEnd = atEndOfTest()
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-store-test-'))
    atEnd(() => rm(folder, { recursive: true }))
    server = await startS3Server(folder)
    atEnd(() => server.stop())
  })

  const openStore = (port = server.port, settings: object = {}) =>
    createS3Store({ bucket, prefix: 'casinos/archive/' }, { ...settingsOf(port), partBytes, ...settings })
  const startFront = async (answerInstead: Parameters<typeof startS3Front>[1]) => {
    const front = await startS3Front(server.port, answerInstead)
    atEnd(() => front.stop())
    return front
  }
  /** In pieces that do not end where parts end. */
  async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes.length; start += 7_001)
      yield await Promise.resolve(bytes.subarray(start, start + 7_001))
  }
  const readBack = async (store: Store): Promise<Buffer | undefined> => {
    const stored = await store.open('file')
    if (stored === undefined) return undefined
    const chunks: Buffer[] = []
    for await (const chunk of stored.content) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  const errorOf = async (work: Promise<unknown>): Promise<Error> => {
    try {
      await work
    } catch (error) {
      if (error instanceof Error) return error
    }
    throw new Error('it succeeded')
  }

  it('has exactly the bytes of files with one part, and with many, below its prefix', async () => {
    const front = await startFront(() => undefined)
    const store = openStore(front.port)
    expect(await store.open('file')).to.equal(undefined)
    for (const length of [1, partBytes - 1, partBytes, partBytes * 12 + 345]) {
      const bytes = randomBytes(length)
      await store.put('file', inPieces(bytes), (await store.open('file'))?.version)
      expect(await readBack(store)).to.deep.equal(bytes)
      expect([...(await readObjects(folder))]).to.deep.equal([[key, bytes]])
    }
    expect(store.placeOf('file')).to.equal(`s3://${bucket}/${key}`)
    const parts = front.requests.filter((request) => /^PUT .*partNumber=13&/.test(request))
    expect(parts).to.have.length(1)
  })

  it('replaces only the version that it is told to replace', async () => {
    const store = openStore()
    for (const length of [10, partBytes * 2]) {
      const before = (await store.open('file'))?.version
      const bytes = randomBytes(length)
      await store.put('file', inPieces(bytes), before)
      for (const wrong of [undefined, '"0"', before]) {
        const error = await errorOf(store.put('file', inPieces(randomBytes(length)), wrong))
        expect(error).to.be.instanceOf(ReplacedFileError)
      }
      expect(await readBack(store)).to.deep.equal(bytes)
    }
  })

  it('lets the store refuse a file that another run has written in the same moment', async () => {
    const conditions: unknown[] = []
    const front = await startFront(({ headers }) => {
      const condition = headers['if-none-match'] ?? headers['if-match']
      if (condition !== undefined) conditions.push(condition)
      return condition === undefined ? undefined : { status: 412, code: 'PreconditionFailed' }
    })
    const store = openStore(front.port)
    for (const length of [10, partBytes * 2]) {
      expect(await errorOf(store.put('file', inPieces(randomBytes(length)), undefined))).to.be.instanceOf(
        ReplacedFileError,
      )
    }
    expect(conditions).to.deep.equal(['*', '*'])
    expect(await openStore().open('file')).to.equal(undefined)
  })

  it('stores a file without a condition in a store that does not implement them', async () => {
    const front = await startFront(({ headers }) =>
      headers['if-none-match'] === undefined ? undefined : { status: 501, code: 'NotImplemented' },
    )
    const store = openStore(front.port)
    const bytes = randomBytes(partBytes * 2)
    await store.put('file', inPieces(bytes), undefined)
    expect(await readBack(store)).to.deep.equal(bytes)
  })

  it('has nothing of a file whose content ends with an error', async () => {
    const store = openStore()
    async function* broken() {
      yield* inPieces(randomBytes(partBytes * 3))
      throw new Error('the database is gone')
    }
    const error = await errorOf(store.put('file', broken(), undefined))
    expect(error.message).to.equal('the database is gone')
    expect([...(await readObjects(folder)).keys()]).to.deep.equal([])
  })

  itInLongForm(
    'has nothing of a file when the server dies during the upload, and all of it when that is repeated',
    async () => {
      const bytes = randomBytes(partBytes * 4)
      async function* deadly() {
        yield bytes.subarray(0, partBytes * 2)
        await server.kill()
        yield bytes.subarray(partBytes * 2)
      }
      const error = await errorOf(openStore().put('file', deadly(), undefined))
      expect(error.message).to.match(
        /^s3:.*: the store (?:cannot be reached|closed the connection) \(E[A-Z]+\): /,
      )
      server = await startS3Server(folder)
      atEnd(() => server.stop())
      expect([...(await readObjects(folder)).keys()]).to.deep.equal([])
      await openStore().put('file', inPieces(bytes), undefined)
      expect(await readBack(openStore())).to.deep.equal(bytes)
    },
  )

  itInLongForm('gives up within its time limits when the server stops answering', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port })
    atEnd(() => proxy.stop())
    const store = openStore(proxy.port, { timeoutMs: 300 })
    await store.put('file', inPieces(randomBytes(partBytes * 3)), undefined)
    const stored = await store.open('file')
    proxy.freeze()
    const startedAt = performance.now()
    const readAll = async () => {
      for await (const chunk of stored?.content ?? []) expect(chunk).to.have.length(partBytes)
    }
    for (const work of [
      readAll,
      () => store.open('file'),
      () => store.put('other', inPieces(randomBytes(10)), undefined),
    ]) {
      const error = await errorOf(work())
      expect(error.message).to.contain('the store did not answer within 0.3 seconds: try again later')
    }
    expect(performance.now() - startedAt).to.be.lessThan(30_000)
  })

  itInLongForm('asks again for a part of a file that is cut off, but only a few times', async () => {
    const bytes = randomBytes(partBytes * 2)
    await openStore().put('file', inPieces(bytes), undefined)
    let left = 2
    const front = await startFront(({ headers }): Instead | undefined =>
      headers.range?.startsWith('bytes=50000-') === true && left-- > 0 ? 'half an answer' : undefined,
    )
    expect(await readBack(openStore(front.port))).to.deep.equal(bytes)
    expect(front.requests).to.have.length(4)
    left = Infinity
    expect((await errorOf(readBack(openStore(front.port)))).message).to.contain('closed the connection')
    expect(front.requests).to.have.length(8)
  })

  it('reads an object without bytes, which has no part that could be asked for', async () => {
    await writeObject(server.port, key, Buffer.alloc(0))
    const front = await startFront(({ headers }) =>
      headers.range === undefined ? undefined : { status: 416, code: 'InvalidRange' },
    )
    expect(await readBack(openStore(front.port))).to.deep.equal(Buffer.alloc(0))
  })

  it('reads no file that is replaced in the meantime', async () => {
    await openStore().put('file', inPieces(randomBytes(partBytes * 2)), undefined)
    const stored = await openStore().open('file')
    await writeObject(server.port, key, randomBytes(partBytes * 2))
    const readAll = async () => {
      for await (const chunk of stored?.content ?? []) expect(chunk).to.have.length(partBytes)
    }
    expect(await errorOf(readAll())).to.be.instanceOf(ReplacedFileError)
  })

  it('says what to do about each problem, without the credentials', async () => {
    const secretAccessKey = 'a-very-secret-access-key'
    const port = await findFreePort()
    const requests: [string, () => Promise<unknown>, RegExp][] = [
      [
        'no bucket',
        () => createS3Store({ bucket: 'other-bucket', prefix: '' }, settingsOf(server.port)).open('file'),
        /^s3:\/\/other-bucket\/file: the bucket does not exist: create it, or correct --store$/,
      ],
      [
        'a wrong secret',
        () =>
          openStore(server.port, { credentials: { accessKeyId: 'S3RVER', secretAccessKey } }).open('file'),
        /refuses the credentials \(SignatureDoesNotMatch\): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY/,
      ],
      [
        'an unknown key',
        () =>
          openStore(server.port, { credentials: { accessKeyId: 'UNKNOWNKEY', secretAccessKey } }).open(
            'file',
          ),
        /refuses the credentials \(InvalidAccessKeyId\)/,
      ],
      [
        'no server',
        () => openStore(port).open('file'),
        /cannot be reached \(ECONNREFUSED\): check AWS_ENDPOINT_URL_S3/,
      ],
    ]
    const refusals: [Instead & object, RegExp][] = [
      [
        { status: 403, code: 'AccessDenied' },
        /access is denied: the credentials need s3:GetObject, s3:PutObject/,
      ],
      [{ status: 301, code: 'PermanentRedirect' }, /in another region \(PermanentRedirect\): set AWS_REGION/],
      [{ status: 503, code: 'SlowDown' }, /overloaded \(SlowDown\): try again later/],
      [{ status: 400, code: 'ExpiredToken' }, /the credentials have expired: get new ones/],
      [{ status: 418, code: 'Teapot' }, /refused the request \(Teapot, HTTP 418\)/],
    ]
    for (const [instead, pattern] of refusals) {
      const front = await startFront(() => instead)
      requests.push([instead.code, () => openStore(front.port).open('file'), pattern])
    }
    for (const [name, work, pattern] of requests) {
      const error = await errorOf(work())
      expect(error.message, name).to.match(pattern)
      expect(JSON.stringify([error.message, error.stack, error]), name).not.to.match(
        /very-secret|UNKNOWNKEY|S3RVER/,
      )
    }
  })
})
