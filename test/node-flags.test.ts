import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'

const projectDir = join(import.meta.dirname, '..')

/** Everything that starts a program of the service as production does. */
const files = {
  'package.json': 3,
  Dockerfile: 1,
  'docker-compose.yml': 3,
  'deploy/helm/casino-rewards/templates/_pod.tpl': 1,
  'deploy/kubernetes/casino-rewards.yaml': 3,
  'bench/run-service.ts': 1,
}

describe('the limits of memory', () => {
  it('are the same however a program is started', async () => {
    const found = await Promise.all(
      Object.keys(files).map(async (file) => {
        const text = await readFile(join(projectDir, file), 'utf8')
        return [file, text.match(/--max-semi-space-size=\d+[^\d]{1,20}--max-old-space-size=\d+/g) ?? []] as const
      }),
    )
    expect(Object.fromEntries(found.map(([file, flags]) => [file, flags.length]))).to.deep.equal(files)
    const limits = found.flatMap(([, flags]) => flags.map((text) => text.match(/\d+/g)?.join()))
    expect([...new Set(limits)]).to.deep.equal(['16,768'])
  })
})
