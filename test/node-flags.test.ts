import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'

const projectDir = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(projectDir, file), 'utf8')

/** Everything that starts programs of the service as production does, and how many. */
const files = {
  'package.json': 3,
  Dockerfile: 1,
  'docker-compose.yml': 3,
  'deploy/helm/casino-rewards/templates/_pod.tpl': 1,
  'deploy/kubernetes/casino-rewards.yaml': 3,
  'bench/run-service.ts': 1,
}
const youngMb = 16
const oldMb = 768
/** The memory of a process outside of its heap, and some room. */
const otherMb = 200

describe('the limits of memory', () => {
  it('are the same however a program is started', async () => {
    for (const [file, programs] of Object.entries(files)) {
      const text = await read(file)
      const found = [
        ...text.matchAll(/--max-semi-space-size=(\d+)[^\d]{1,20}--max-old-space-size=(\d+)/g),
      ].map(([, young, old]) => [Number(young), Number(old)])
      expect(found, file).to.deep.equal(Array.from({ length: programs }, () => [youngMb, oldMb]))
      const named = text.match(/dist\/(api|worker)\/main[\w-]*\.js/g) ?? []
      if (named.length > 0) expect(named.length, `programs of ${file}`).to.equal(programs)
    }
  })

  it('leave room in a pod of the chart, and in a container of Compose', async () => {
    const values = parse(await read('deploy/helm/casino-rewards/values.yaml')) as Record<
      'api' | 'manage' | 'worker',
      { resources: { limits: { memory: string } } }
    >
    for (const part of ['api', 'manage', 'worker'] as const) {
      const [, gibibytes] = /^(\d+)Gi$/.exec(values[part].resources.limits.memory) ?? []
      expect(Number(gibibytes) * 1_024, part).to.be.at.least(oldMb + otherMb)
    }
    const compose = await read('docker-compose.yml')
    const limits = [...compose.matchAll(/mem_limit: (\d+)g/g)].map(
      ([, gibibytes]) => Number(gibibytes) * 1_024,
    )
    expect(limits.length).to.be.at.least(4)
    expect(Math.min(...limits)).to.be.at.least(oldMb + otherMb)
  })
})
