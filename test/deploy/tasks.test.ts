import { join } from 'node:path'
import { expect } from 'chai'
import { readAuditConfig, readEncryptionConfig, readMigrationConfig } from '../../core/platform/config.ts'
import { readDocument } from '../docs/markdown.ts'
import { needChartTools } from '../support/chart-tools.ts'
import type { ChartTools, Manifest } from '../support/chart-tools.ts'
import { containersOf, environmentOf, fieldOf, filesOf, listPods } from './manifests.ts'

/** A task's program by the name of its CronJob in test/deploy/values/tasks.yaml. */
const programs = {
  archive: 'archive',
  'archive-to-volume': 'archive',
  audit: 'audit:verify',
  stock: 'stock:check',
  rewrap: 'keys:rewrap',
} as const

const readers = {
  archive: [readAuditConfig, readMigrationConfig],
  'audit:verify': [readAuditConfig],
  'stock:check': [readAuditConfig, readMigrationConfig],
  'keys:rewrap': [readEncryptionConfig],
} as const

/** Secrets that each could be in one of the files. */
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgresql://service:a@postgres/rewards',
  DATABASE_DIRECT_URL: 'postgresql://service:a@direct/rewards',
  MIGRATE_DATABASE_URL: 'postgresql://owner:b@direct/rewards',
  HASH_SECRET: 'hN3uYB0mJ4gT8sVw5xKz1LqR6cPdEaFi',
  ENCRYPTION_KEYS: `key-1:${Buffer.alloc(32, 'a9F2k').toString('base64')}`,
}

describe('the tasks of the chart', function () {
  this.timeout(300_000)
  let tools: ChartTools
  let manifests: Manifest[]
  let jobs: Manifest[]

  before(async function () {
    tools = await needChartTools(this)
    manifests = await tools.render('--values', join(import.meta.dirname, 'values/tasks.yaml'))
    jobs = manifests.filter(({ kind }) => kind === 'CronJob')
  })

  const jobOf = (name: string) => {
    const job = jobs.find(({ metadata }) => metadata.name === `casino-rewards-${name}`)
    const [{ pod } = { pod: {} }] = job === undefined ? [] : listPods([job])
    const [container = {}] = containersOf(pod)
    return { spec: job?.spec, pod, container, environment: environmentOf(container) }
  }

  it('run the programs of npm, with their options', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
    expect(jobs).to.have.length(Object.keys(programs).length)
    for (const [name, program] of Object.entries(programs)) {
      const command = fieldOf(jobOf(name).container, 'command') as string[]
      expect(command.filter((word) => word !== '--enable-source-maps').join(' '), name).to.equal(
        scripts[program],
      )
    }
    expect(fieldOf(jobOf('stock').container, 'args')).to.deep.equal(['--casino', 'acme'])
    expect(fieldOf(jobOf('audit').container, 'args')).to.deep.equal([])
  })

  it('have the secrets that their programs read, as files, and no others', () => {
    for (const [name, program] of Object.entries(programs)) {
      const { pod, container, environment } = jobOf(name)
      const named = [...environment.keys()].filter(
        (variable) => variable.endsWith('_FILE') && !variable.startsWith('AWS_'),
      )
      for (const variable of named)
        expect(filesOf(pod, container), name).to.include(environment.get(variable))
      const names = named.map((variable) => variable.replace(/_FILE$/, ''))
      const given = Object.fromEntries(names.map((secret) => [secret, secrets[secret]]))
      for (const read of readers[program]) expect(() => read(given), `${name} reads`).to.not.throw()
      const allowed = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'HASH_SECRET']
      if (program === 'archive') allowed.push('MIGRATE_DATABASE_URL')
      if (program === 'keys:rewrap') allowed.push('ENCRYPTION_KEYS')
      expect(names, name).to.have.members(allowed)
    }
    expect(readMigrationConfig(secrets).ownerUrl, 'the archive works as the owner').to.contain('owner')
  })

  it('run by a schedule, or by hand only, one at a time, and are not repeated when that does not help', () => {
    const schedules = Object.keys(programs).map((name) => {
      const { spec } = jobOf(name)
      expect(fieldOf(spec, 'concurrencyPolicy'), name).to.equal('Forbid')
      const job = fieldOf(spec, 'jobTemplate', 'spec')
      expect(fieldOf(job, 'podFailurePolicy', 'rules'), name).to.deep.equal([
        // The first rule that fits counts: an evicted pod ends with 3.
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'FailJob', onExitCodes: { containerName: 'task', operator: 'In', values: [1, 2] } },
      ])
      expect(fieldOf(job, 'template', 'spec', 'restartPolicy'), name).to.equal('Never')
      return [fieldOf(spec, 'suspend'), fieldOf(spec, 'schedule')]
    })
    expect(schedules.filter(([isSuspended]) => isSuspended === false)).to.deep.equal([[false, '17 3 * * *']])
    expect(schedules.filter(([isSuspended]) => isSuspended === true)).to.have.length(4)
  })

  it('reach a bucket with credentials in a file or by a service account, or write to a volume', () => {
    const bucket = jobOf('archive')
    const path = bucket.environment.get('AWS_SHARED_CREDENTIALS_FILE')
    expect(filesOf(bucket.pod, bucket.container)).to.include(path)
    expect(bucket.environment.get('AWS_REGION')).to.equal('eu-central-1')
    const volume = jobOf('archive-to-volume')
    expect(fieldOf(volume.pod, 'serviceAccountName')).to.equal('archive')
    expect(fieldOf(volume.container, 'resources', 'limits')).to.deep.equal({ memory: '512Mi' })
    const [{ name } = { name: '' }] = (
      fieldOf(volume.container, 'volumeMounts') as { name: string; mountPath: string }[]
    ).filter(({ mountPath }) => mountPath === '/archive')
    const claimed = (fieldOf(volume.pod, 'volumes') as { name: string }[]).find((one) => one.name === name)
    expect(fieldOf(claimed, 'persistentVolumeClaim', 'claimName')).to.equal('archive')
  })

  it('reach only PostgreSQL, and with the archive also a bucket', () => {
    const portsOf = (component: string) => {
      const policy = manifests.find(
        ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `casino-rewards-${component}`,
      )
      expect(fieldOf(policy?.spec, 'ingress'), component).to.deep.equal([])
      return (fieldOf(policy?.spec, 'egress') as { ports: { port: number }[] }[]).flatMap(({ ports }) =>
        ports.map(({ port }) => port),
      )
    }
    // DNS, the pooler and the database itself.
    expect(portsOf('task')).to.deep.equal([53, 53, 5432, 5432])
    expect(portsOf('archive')).to.deep.equal([53, 53, 5432, 5432, 443])
  })

  it('are refused with credentials in variables, an unknown program, or a schedule that cron does not know', async () => {
    const refusalOf = (...fields: string[]) =>
      tools.render('--set', ['tasks[0].name=a', ...fields].join(',')).then(
        () => 'rendered',
        (error: unknown) => (error as { stderr: string }).stderr,
      )
    const archive = 'tasks[0].program=archive'
    expect(await refusalOf(archive)).to.equal('rendered')
    for (const schedule of ['17 3 * * *', '@daily'])
      expect(await refusalOf(archive, `tasks[0].schedule=${schedule}`)).to.equal('rendered')
    for (const schedule of ['17 3 * *', '@dayly', '@daily 1 2 3 4'])
      expect(await refusalOf(archive, `tasks[0].schedule=${schedule}`)).to.contain('/tasks/0/schedule')
    expect(await refusalOf('tasks[0].program=migrate')).to.contain('/tasks/0/program')
    for (const name of [
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'HASH_SECRET',
      'MIGRATE_DATABASE_URL_FILE',
    ])
      expect(await refusalOf(archive, `tasks[0].env.${name}=x`), name).to.contain(name)
  })
})
