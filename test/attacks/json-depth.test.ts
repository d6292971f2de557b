import { expect } from 'chai'
import { atEndOfSuite } from '../support/at-end.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

describe('the depth of a JSON body', () => {
  let service: TestService
  let apiKey: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    apiKey = (await service.factory.casino()).apiKey
  })

  const codeOf = async (body: string) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` }
    const reply = await service.client.send('POST', '/prize/order', { headers, body })
    expect(reply.status).to.equal(400)
    return reply.headers.get('X-Error-Code')
  }

  it('may be 32, with the outermost value included', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect(await codeOf(`{"x":${nested(open, close, 31)}}`)).to.equal('parameters_invalid')
      expect(await codeOf(`{"x":${nested(open, close, 32)}}`)).to.equal('body_malformed')
      expect(await codeOf(`{"x":${nested(open, close, 5_000)}}`)).to.equal('body_malformed')
      expect(await codeOf(open.repeat(10_000))).to.equal('body_malformed')
    }
  })

  it('does not count siblings or the contents of strings', async () => {
    expect(await codeOf(`{"x":[${Array.from({ length: 1_000 }, () => '[{}]').join()}]}`)).to.equal(
      'parameters_invalid',
    )
    const text = '[{'.repeat(100)
    expect(await codeOf(JSON.stringify({ x: `${text}"${text}\\"${text}`, y: text }))).to.equal(
      'parameters_invalid',
    )
  })
})
