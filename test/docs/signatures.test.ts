import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { signedHeaders } from '../../core/partner/signature.ts'
import { isSigned } from '../../docs/integrate/examples/signature.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { needProgram } from '../support/need-program.ts'
import { readBlocks, readDocument } from './markdown.ts'

interface Vector {
  about: string
  secret: string
  id: string
  timestamp: string
  body: string
  signature: string
  valid: boolean
}

const [block = ''] = readBlocks(readDocument('docs/integrate/signatures.md'), 'json')
const vectors = JSON.parse(block) as Vector[]
const examples = 'docs/integrate/examples'

function headersOf({ id, timestamp, signature }: Vector) {
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

describe('docs/integrate/signatures.md', () => {
  it('has test vectors that the service signs the same way', () => {
    expect(vectors.map(({ valid }) => valid)).to.include.members([true, false])
    for (const { about, secret, id, timestamp, body, signature, valid } of vectors) {
      const sentAt = new Date(Number(timestamp) * 1000)
      const signed = signedHeaders([secret], { id, sentAt, body })['webhook-signature'] ?? ''
      expect(signature.split(' ').includes(signed), about).to.equal(valid)
    }
  })

  for (const page of ['wallets', 'fulfilment'])
    it(`has the secret that has signed the example of ${page}.md`, () => {
      const [request = ''] = readBlocks(readDocument(`docs/integrate/${page}.md`), 'http')
      const [head = '', body = ''] = request.trimEnd().split('\n\n')
      const lines = head.split('\n').slice(1)
      const headers = new Map(lines.map((line) => [line.split(': ')[0], line.split(': ')[1] ?? '']))
      const id = headers.get('webhook-id') ?? ''
      const timestamp = headers.get('webhook-timestamp')
      const sentAt = new Date(Number(timestamp) * 1000)
      const signed = signedHeaders([vectors[0]?.secret ?? ''], { id, sentAt, body })
      expect(Object.fromEntries(headers)).to.include(signed)
    })

  it('has test vectors that the receiver in TypeScript accepts or refuses as stated', () => {
    for (const vector of vectors) {
      const { about, secret, timestamp, body, valid } = vector
      const judge = (seconds: number) => isSigned(secret, headersOf(vector), Buffer.from(body), seconds)
      expect(judge(Number(timestamp)), about).to.equal(valid)
      expect(judge(Number(timestamp) + 301), `${about}, too late`).to.equal(false)
    }
  })

  it('has test vectors that the receiver in Python accepts or refuses as stated', async function () {
    needProgram(this, ['python3'], 'python3-minimal')
    const program = `
import json, sys
sys.path.insert(0, "${examples}")
from receiver import is_signed
for v, headers, now in json.loads(sys.argv[1]):
    print(is_signed(v["secret"], headers, v["body"].encode(), now))`
    const cases = vectors.flatMap((vector) =>
      [0, 301].map((late) => [vector, headersOf(vector), Number(vector.timestamp) + late]),
    )
    const { stdout } = await promisify(execFile)('python3', ['-Bc', program, JSON.stringify(cases)])
    const expected = vectors.flatMap(({ valid }) => [valid ? 'True' : 'False', 'False'])
    expect(stdout.trim().split('\n')).to.deep.equal(expected)
  })

  const receivers = {
    'in TypeScript': [process.execPath, '--import', 'tsx', `${examples}/receiver.ts`],
    'in Python': ['python3', '-B', `${examples}/receiver.py`],
  }
  const atTestEnd = atEndOfTest()
  for (const [name, [program = '', ...args]] of Object.entries(receivers)) {
    it(`has a receiver ${name} that accepts each of the service’s events once, and no others`, async function () {
      this.timeout(20_000)
      if (program === 'python3') needProgram(this, [program], 'python3-minimal')
      const secret = vectors[0]?.secret ?? ''
      const receiver = await startReceiver(program, args, secret)
      atTestEnd(() => end(receiver.child))
      const body = JSON.stringify({ id: 'evt_1', type: 'prize.won', object: { type: 'prize', id: 'prz_1' } })
      const headers = signedHeaders([secret], { id: 'evt_1', sentAt: new Date(), body })
      const post = async (sent: string) =>
        (await fetch(receiver.url, { method: 'POST', headers, body: sent })).status
      expect(await post(body.replace('won', 'lost'))).to.equal(400)
      expect([await post(body), await post(body)]).to.deep.equal([204, 204])
      const second = body.replace('evt_1', 'evt_2').replace('prz_1', 'prz_2')
      Object.assign(headers, signedHeaders([secret], { id: 'evt_2', sentAt: new Date(), body: second }))
      expect(await post(second)).to.equal(204)
      expect([await receiver.nextLine(), await receiver.nextLine()]).to.deep.equal([
        'prize.won prz_1',
        'prize.won prz_2',
      ])
    })
  }
})

/** An example as a program, on any free port; its first line has its address. */
async function startReceiver(program: string, args: readonly string[], secret: string) {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  const [, url = ''] = /^listening on (\S+)$/.exec(await nextLine()) ?? []
  return { child, url, nextLine }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
