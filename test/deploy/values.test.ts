import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { secretNames } from '../../core/platform/config-variables.ts'
import { readBlocks, readDocument, readTable } from '../docs/markdown.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { needChartTools } from '../support/chart-tools.ts'
import type { ChartTools } from '../support/chart-tools.ts'
import { containersOf, environmentOf, fieldOf, listPods, textOf } from './manifests.ts'

/** Maps that a reader fills in as a whole. */
const wholes = /(^|\.)(resources|pod)$/

/** The values by their paths, written as in the table. */
function listValues(value: unknown, path = ''): [string, string][] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isMap && !wholes.test(path) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, part]) =>
      listValues(part, path === '' ? key : `${path}.${key}`),
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [[path, ['', '{}', '[]'].includes(text) ? 'empty' : text]]
}

describe('docs/operate/kubernetes.md', () => {
  it('lists every value of the chart with its default, and no other', () => {
    const file = join(import.meta.dirname, '../../deploy/helm/casino-rewards/values.yaml')
    const rows = readTable(readDocument('docs/operate/kubernetes.md'), '## Values')
    expect(rows.map(([path, value]) => [path, value])).to.deep.equal(
      listValues(parse(readFileSync(file, 'utf8'))),
    )
    for (const [path, , meaning] of rows) expect(meaning, path).to.match(/\w{3}/)
  })
})

describe('the values of the chart', function () {
  this.timeout(300_000)
  const atEnd = atEndOfTest()
  let tools: ChartTools

  before(async function () {
    tools = await needChartTools(this)
  })

  /** Standard error alone: the message of the failed command repeats its options. */
  const refusalOf = (...options: string[]) =>
    tools.render(...options).then(
      () => 'rendered',
      (error: unknown) => (error as { stderr: string }).stderr,
    )

  it('gives each version, and each change of its environment, its own migration', async () => {
    const nameWith = async (...options: string[]) =>
      (await tools.render(...options)).find(({ kind }) => kind === 'Job')?.metadata.name
    const names = await Promise.all([
      nameWith(),
      nameWith('--set', 'image.tag=0.2.0'),
      nameWith('--set', 'migrate.backoffLimit=9'),
      nameWith('--set', 'api.replicas=3'),
      nameWith('--set', 'pod.priorityClassName=high'),
      nameWith('--set', 'caBundle.secret=company-ca'),
    ])
    // The labels of a Job have the version too, and cannot be changed.
    const digest = `image.digest=sha256:${'a'.repeat(64)}`
    const [first, second] = await Promise.all(
      ['2030-01-01-12', '2030-01-01-18'].map((tag) => nameWith('--set-string', `image.tag=${tag},${digest}`)),
    )
    expect(first).to.not.equal(second)
    expect(names[0]).to.match(/^casino-rewards-migrate-0-1-0-[0-9a-f]{8}$/)
    expect(names[1]).to.match(/^casino-rewards-migrate-0-2-0-[0-9a-f]{8}$/)
    expect(names[3]).to.equal(names[0])
    expect(new Set(names).size).to.equal(5)
  })

  it('refuses values that would be unsafe or are unknown', async () => {
    const refused = {
      'config.all.HASH_SECRET=x': 'HASH_SECRET',
      'config.api.DATABASE_URL_FILE=x': 'DATABASE_URL_FILE',
      'config.worker.PORT=1': 'PORT',
      'worker.autoscaling.minReplicas=0': 'minReplicas',
      'worker.autoscaling.trigger=cron': 'trigger',
      'image.tga=1': 'tga',
      'image.tag=latest': 'image.tag: latest names no version',
      'image.tag=-1': 'image/tag',
      'config.host=127.0.0.1': 'config/host',
      'api.autoscaling.minReplicas=11': 'api.autoscaling: minReplicas is more than maxReplicas',
      'worker.autoscaling.enabled=true,worker.autoscaling.minReplicas=11':
        'worker.autoscaling: minReplicas is more than maxReplicas',
      'pod.labels.app\\.kubernetes\\.io/name=other': "invalid propertyName 'app.kubernetes.io/name'",
      'api.pod.hostNetwork=true': 'hostNetwork',
      'config.all.NODE_EXTRA_CA_CERTS=/x': 'NODE_EXTRA_CA_CERTS',
      'caBundle.configMap=a,caBundle.secret=b': 'caBundle: name a ConfigMap or a Secret',
      'gateway.enabled=true': 'parentRefs',
      'ingress.enabled=true': 'ingress.host',
      'ingress.enabled=true,ingress.host=a.example': 'ingress.tlsSecret',
      'ingress.enabled=true,ingress.host=a.example,ingress.tlsSecret=a,ingress.manageHost=b.example':
        'ingress.manageTlsSecret',
      'ingress.enabled=true,ingress.tlsSecret=a,ingress.host=A.example': 'ingress/host',
      'ingress.enabled=true,ingress.tlsSecret=a,ingress.host=a_b.example': 'ingress/host',
      'gateway.hostnames[0]=https://a.example': 'gateway/hostnames/0',
      'worker.autoscaling.enabled=true,worker.autoscaling.trigger=redis': 'redis.address',
      'tasks[0].name=a,tasks[0].program=archive,tasks[1].name=a,tasks[1].program=stock:check':
        'tasks: two have the name a',
    }
    for (const [option, named] of Object.entries(refused))
      expect(await refusalOf('--set', option), option).to.contain(named)
  })

  it('refuses a host name of the console that others have too, in an Ingress or in a HTTPRoute', async () => {
    const ingress =
      'ingress.enabled=true,ingress.tlsSecret=a,ingress.manageTlsSecret=a,ingress.consoleTlsSecret=a,ingress.host=a.example,ingress.manageHost=b.example'
    const gateway =
      'gateway.enabled=true,gateway.parentRefs[0].name=a,gateway.hostnames[0]=c.example,gateway.manageHostnames[0]=d.example'
    const both = `${ingress},${gateway}`
    const refused = [
      `${ingress},ingress.consoleHost=a.example`,
      `${ingress},ingress.consoleHost=b.example`,
      `${gateway},gateway.consoleHostnames={e.example,c.example}`,
      `${gateway},gateway.consoleHostnames={d.example}`,
      `${both},ingress.consoleHost=d.example`,
      `${both},gateway.consoleHostnames={a.example}`,
    ]
    for (const options of refused)
      expect(await refusalOf('--set', options), options).to.match(
        /[abcd]\.example is also a host name of players or casinos/,
      )
    const ofItsOwn = `${both},ingress.consoleHost=e.example,gateway.consoleHostnames={e.example}`
    expect(await refusalOf('--set', ofItsOwn)).to.equal('rendered')
    // One that is switched off publishes nothing.
    const off = `${gateway},gateway.consoleHostnames={a.example},ingress.host=a.example`
    expect(await refusalOf('--set', off)).to.equal('rendered')
  })

  it('makes valid objects of the values that docs/operate/kubernetes.md shows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rewards-values-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    const blocks = readBlocks(
      readDocument('docs/operate/kubernetes.md').replaceAll(/^ {3}(?=\S| {2})/gm, ''),
      'yaml',
    )
    expect(blocks.length).to.be.at.least(4)
    let seen = ''
    for (const [index, block] of blocks.entries()) {
      const file = join(folder, `${index}.yaml`)
      writeFileSync(file, block)
      const manifests = await tools.render('--values', file)
      for (const manifest of manifests)
        expect(await tools.findProblems(manifest), `${manifest.kind} of\n${block}`).to.deep.equal([])
      seen += textOf(manifests)
    }
    for (const kind of ['Ingress', 'CronJob', 'PrometheusRule']) expect(seen).to.contain(`"kind":"${kind}"`)
  })

  it('refuses a limit of memory that a heap may exceed, however it is written', async () => {
    const limits = {
      '512Mi': false,
      '1023Mi': false,
      '1000M': false,
      '0.9Gi': false,
      '1048575Ki': false,
      '1073741823': false,
      '1Gi': true,
      '1.5Gi': true,
      '1100M': true,
      '2G': true,
      '1073741824': true,
      '1Ti': true,
    }
    for (const component of ['api', 'manage', 'worker'])
      for (const [limit, isAccepted] of Object.entries(limits)) {
        const name = `${component}.resources.limits.memory`
        expect(await refusalOf('--set', `${name}=${limit}`), `${component} ${limit}`).to.contain(
          isAccepted ? 'rendered' : `${name}: ${limit} is less than 1Gi`,
        )
      }
    expect(await refusalOf('--set-string', 'api.resources.limits.memory=1073741823')).to.contain(
      'less than 1Gi',
    )
    expect(await refusalOf('--set', 'migrate.resources.limits.memory=256Mi')).to.equal('rendered')
  })

  it('lets the values of a component win also when they are empty', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rewards-values-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    const file = join(folder, 'values.yaml')
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }]
    const shared = { tolerations, priorityClassName: 'high', annotations: { team: 'a' } }
    writeFileSync(
      file,
      // Every JSON document is YAML.
      JSON.stringify({
        pod: shared,
        config: { all: { LOG_LEVEL: 'warn' }, worker: { LOG_LEVEL: '' } },
        worker: { pod: { tolerations: [], priorityClassName: '', annotations: { team: '' } } },
      }),
    )
    for (const { name, annotations, pod } of listPods(await tools.render('--values', file))) {
      const isWorker = name.endsWith('-worker')
      expect(fieldOf(pod, 'tolerations'), name).to.deep.equal(isWorker ? undefined : tolerations)
      expect(fieldOf(pod, 'priorityClassName'), name).to.equal(isWorker ? undefined : 'high')
      expect(annotations, name).to.deep.equal({ team: isWorker ? '' : 'a' })
      if (name.includes('-migrate-')) continue
      const [, container = {}] = containersOf(pod)
      expect(environmentOf(container).get('LOG_LEVEL'), name).to.equal(isWorker ? '' : 'warn')
    }
  })

  it('takes null for an empty value', async () => {
    const redis =
      'worker.autoscaling.enabled=true,worker.autoscaling.trigger=redis,worker.autoscaling.redis.address=redis:6379'
    const nulls = ['pod', 'caBundle', 'tasks', 'imagePullSecrets', 'api.pod']
    for (const name of [...nulls, ...['all', 'api', 'manage', 'worker'].map((part) => `config.${part}`)])
      expect(await refusalOf('--set', `${redis},${name}=null`), name).to.equal('rendered')
  })

  it('keeps names that YAML would read as numbers', async () => {
    const values = [
      'secrets.service',
      'secrets.migrate',
      'caBundle.configMap',
      'caBundle.key',
      'ingress.className',
      'ingress.tlsSecret',
      'ingress.host',
      'tasks[0].name',
      'tasks[0].credentialsSecret',
      'tasks[0].claim',
      'worker.autoscaling.redis.passwordSecret',
    ]
    const options = [
      '--set-string',
      values.map((name) => `${name}=123`).join(','),
      '--set',
      'ingress.enabled=true,tasks[0].program=archive,worker.autoscaling.enabled=true,worker.autoscaling.trigger=redis,worker.autoscaling.redis.address=redis:6379',
    ]
    const manifests = await tools.render(...options)
    expect(textOf(manifests).match(/"123"/g)?.length).to.be.at.least(values.length)
    expect(textOf(manifests)).to.not.match(/:123\b/)
  })

  it('makes labels of every tag that an image can have', async () => {
    const tags = {
      '1.0.': '1.0',
      _x_: 'x',
      '1.0.0-rc.1': '1.0.0-rc.1',
      ['a'.repeat(62) + '.b']: 'a'.repeat(62),
    }
    for (const [tag, label] of Object.entries(tags)) {
      for (const { metadata } of await tools.render('--set-string', `image.tag=${tag}`)) {
        expect(metadata.labels, tag).to.include({ 'app.kubernetes.io/version': label })
        expect(metadata.name, tag).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      }
    }
    const digest = `sha256:${'a'.repeat(64)}`
    expect(await refusalOf('--set-string', `image.tag=latest,image.digest=${digest}`)).to.equal('rendered')
  })

  it('refuses every secret of the service as a variable', async () => {
    for (const name of secretNames)
      expect(await refusalOf('--set-string', `config.all.${name}=x`), name).to.contain(name)
  })
})
