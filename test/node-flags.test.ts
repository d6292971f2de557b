import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { nodeFlagsOf } from '../bench/run-service.ts'

const projectDir = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(projectDir, file), 'utf8')

/** Everything that starts programs of the service as production does; the manifests are rendered from the chart. */
const files = ['package.json', 'Dockerfile', 'docker-compose.yml', 'deploy/kubernetes/casino-rewards.yaml']
/** A semi-space of the space for new objects, of the programs that each file starts. */
const youngMb: Readonly<Record<string, number>> = {
  'api/main': 32,
  'api/main-manage': 16,
  'worker/main': 16,
}
const oldMb = 768
/** The memory of a process outside of its heap, and some room. */
const otherMb = 152
/** The heap at its limits: the space for new objects has up to three semi-spaces. */
const heapMbOf = (program: string) => oldMb + 3 * (youngMb[program] ?? NaN)

describe('the flags of Node', () => {
  it('are the same however a program is started', async () => {
    for (const file of files) {
      const text = await read(file)
      const found = [
        ...text.matchAll(
          /--no-parallel-scavenge[^\d]{1,20}--max-semi-space-size=(\d+)[^\d]{1,20}--max-old-space-size=(\d+)[^\d]{1,60}dist\/([\w/-]+)\.js/g,
        ),
      ].map(([, young, old, program]) => ({ young: Number(young), old: Number(old), program }))
      const programs = file === 'Dockerfile' ? ['api/main'] : Object.keys(youngMb)
      expect(found, file).to.deep.equal(
        programs.map((program) => ({ young: youngMb[program], old: oldMb, program })),
      )
      expect(text.match(/dist\/(api|worker)\/main[\w-]*\.js/g), file).to.have.length(programs.length)
    }
    for (const [part, program] of [
      ['api', 'api/main'],
      ['manage', 'api/main-manage'],
      ['worker-1', 'worker/main'],
    ] as const)
      expect(nodeFlagsOf(part)).to.deep.equal([
        '--no-parallel-scavenge',
        `--max-semi-space-size=${youngMb[program]}`,
        `--max-old-space-size=${oldMb}`,
      ])
  })

  it('leave room in a pod of the chart, and in a container of Compose', async () => {
    const values = parse(await read('deploy/helm/casino-rewards/values.yaml')) as Record<
      'api' | 'manage' | 'worker',
      { resources: { limits: { memory: string } } }
    >
    for (const [part, program] of [
      ['api', 'api/main'],
      ['manage', 'api/main-manage'],
      ['worker', 'worker/main'],
    ] as const) {
      const [, gibibytes] = /^(\d+)Gi$/.exec(values[part].resources.limits.memory) ?? []
      expect(Number(gibibytes) * 1_024, part).to.be.at.least(heapMbOf(program) + otherMb)
    }
    const compose = await read('docker-compose.yml')
    const limits = [...compose.matchAll(/mem_limit: (\d+)g/g)].map(
      ([, gibibytes]) => Number(gibibytes) * 1_024,
    )
    expect(limits.length).to.be.at.least(4)
    expect(Math.min(...limits)).to.be.at.least(Math.max(...Object.keys(youngMb).map(heapMbOf)) + otherMb)
  })
})
