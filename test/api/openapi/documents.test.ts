import { setImmediate } from 'node:timers/promises'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { expect } from 'chai'
import { chooseEncoding } from '../../../api/choose-encoding.ts'
import { createDocuments, loadDocument } from '../../../api/openapi/documents.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the documents', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('are created, hashed and compressed once', async () => {
    for (const name of ['openapi', 'page', 'script', 'style'] as const) {
      const document = await loadDocument(name, '')
      expect(await loadDocument(name, '')).to.equal(document)
      const { identity, gzip, br } = document
      expect(gunzipSync(gzip.body).equals(identity.body)).to.equal(true)
      expect(brotliDecompressSync(br.body).equals(identity.body)).to.equal(true)
      expect(br.body.length, name).to.be.lessThan(identity.body.length)
      expect(new Set([identity.tag, gzip.tag, br.tag]).size).to.equal(3)
    }
  })

  it('are created again after a failure', async () => {
    let count = 0
    const make = createDocuments(() =>
      (count += 1) === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve('text'),
    )
    const first = await make('script', '').catch((error: unknown) => error)
    expect(first).to.be.an('error')
    expect((await make('script', '')).identity.body.toString()).to.equal('text')
    await make('script', '')
    expect(count).to.equal(2)
  })

  it('are created in steps, at least one for each path, so that other requests are served in between', async () => {
    let turns = 0
    let isMade = false
    const making = loadDocument('openapi', '/in-steps').finally(() => (isMade = true))
    while (!isMade) {
      await setImmediate()
      turns++
    }
    const { identity } = await making
    const { paths } = JSON.parse(identity.body.toString()) as { paths: object }
    expect(turns).to.be.at.least(Object.keys(paths).length)
  })

  for (const path of ['/openapi.json', '/docs', '/docs/viewer.js', '/docs/viewer.css']) {
    it(`are sent in an encoding that the caller accepts, each with its own ETag: ${path}`, async () => {
      const tags = new Set<string | null>()
      const texts = new Set<string>()
      for (const [accepted, encoding] of [
        ['br, gzip', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const headers = { 'Accept-Encoding': accepted }
        const reply = await service.client.send('GET', path, { headers })
        expect([reply.status, reply.headers.get('Content-Encoding')]).to.deep.equal([200, encoding])
        expect(reply.headers.get('Vary')).to.equal('Accept-Encoding')
        texts.add(reply.text)
        const tag = reply.headers.get('ETag') ?? ''
        tags.add(tag)
        const again = await service.client.send('GET', path, {
          headers: { ...headers, 'If-None-Match': tag },
        })
        expect([again.status, again.text, again.headers.get('ETag')]).to.deep.equal([304, '', tag])
      }
      expect([tags.size, texts.size]).to.deep.equal([3, 1])
    })
  }
})

describe('the encoding of an answer', () => {
  it('is the best one that the caller accepts', () => {
    const cases: [string | undefined, string][] = [
      [undefined, 'identity'],
      ['', 'identity'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['GZIP', 'gzip'],
      ['*', 'br'],
      ['*;q=0', 'identity'],
      ['br;q=0, *', 'gzip'],
      ['gzip;q=none', 'identity'],
      ['compress', 'identity'],
    ]
    for (const [header, encoding] of cases)
      expect(chooseEncoding(header, ['br', 'gzip']), header).to.equal(encoding)
  })
})
