import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { secretNames, variables } from '../../core/platform/config-variables.ts'
import { jobNames } from '../../core/queue/jobs.ts'
import { queuePrefix } from '../../core/queue/queue-keys.ts'
import { chart, needChartTools, readManifests } from '../support/chart-tools.ts'
import type { ChartTools, Manifest } from '../support/chart-tools.ts'
import { readDocument, readTable } from '../docs/markdown.ts'
import {
  containersOf,
  environmentOf,
  fieldOf,
  filesOf,
  listPods,
  listRoutes,
  listScrapes,
  missingPorts,
  namesOfSelected,
  publishedPaths,
  textOf,
} from './manifests.ts'

const folder = join(import.meta.dirname, 'values')
const document = readDocument('docs/operate/kubernetes.md')
/** The variables of the client of AWS, without those that hold secrets. */
const ofBuckets = readTable(readDocument('docs/operate/archive.md'), '### A bucket')
  .flatMap(([names = '']) => names.match(/\w+/g) ?? [])
  .filter((name) => !/SECRET|ACCESS_KEY|SESSION/.test(name))
  .concat('AWS_SHARED_CREDENTIALS')
const sets = readdirSync(folder).map((name) => basename(name, '.yaml'))

describe('deploy/helm/casino-rewards', function () {
  this.timeout(300_000)
  let tools: ChartTools
  const rendered = new Map<string, Manifest[]>()

  before(async function () {
    tools = await needChartTools(this)
    for (const set of sets) rendered.set(set, await tools.render('--values', join(folder, `${set}.yaml`)))
  })

  const of = (set: string) => rendered.get(set) ?? []
  const find = (set: string, kind: string, name: string) => {
    const found = of(set).find(
      (manifest) => manifest.kind === kind && manifest.metadata.name.startsWith(name),
    )
    if (found === undefined) throw new Error(`${set} has no ${kind} ${name}`)
    return found
  }
  const kindsOf = (set: string) => of(set).map(({ kind }) => kind)

  it('has the version of package.json', () => {
    const { version } = JSON.parse(readDocument('package.json')) as { version: string }
    expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).to.include({
      version,
      appVersion: version,
    })
  })

  it('needs the version of Kubernetes that the document names, and is tested with the Helm that it names', async () => {
    const { kubeVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { kubeVersion: string }
    const [, named = ''] = /^>=([0-9.]+)\.0-0$/.exec(kubeVersion) ?? []
    expect(document).to.contain(`Kubernetes ${named} or later`)
    const version = /Version:"v([0-9.]+)"/.exec(await tools.helm('version'))?.[1] ?? ''
    expect(document).to.contain(`Helm ${version}`)
  })

  it('says after an installation what to do next', async () => {
    const notesOf = async (...options: string[]) => {
      const said = await tools.helm('install', 'casino-rewards', chart, '--dry-run=client', ...options)
      return said.slice(said.indexOf('NOTES:'))
    }
    const notes = await notesOf('--namespace', 'rewards', '--values', join(folder, 'strict.yaml'))
    for (const secret of [
      'rewards-prod',
      'rewards-owner',
      'rewards-direct',
      'rewards-replica',
      'rewards-oidc',
    ])
      expect(notes).to.match(new RegExp(`\\b${secret}\\b`))
    expect(notes)
      .to.contain('--namespace rewards port-forward service/casino-rewards-manage')
      .and.to.contain('/ops/setup')
      .and.to.contain('Nothing outside of the cluster reaches the service yet')
      .and.to.not.contain('No alerts')
    const published = await notesOf('--values', join(folder, 'ingress.yaml'))
    expect(published)
      .to.contain('/rewards/v1/ops/setup')
      .and.to.contain('No alerts')
      .and.to.not.contain('Nothing outside')
  })

  it('passes helm lint --strict with every set of values', async () => {
    expect(sets).to.have.length(9)
    for (const set of sets) {
      const report = await tools.helm('lint', '--strict', chart, '--values', join(folder, `${set}.yaml`))
      expect(report, set).to.contain('0 chart(s) failed')
    }
  })

  for (const set of sets) {
    describe(`with the values ${set}`, () => {
      it('makes only documents that fit the schemas of Kubernetes, KEDA and their kin', async () => {
        expect(of(set).length).to.be.greaterThan(8)
        for (const manifest of of(set))
          expect(await tools.findProblems(manifest), manifest.metadata.name).to.deep.equal([])
        const ids = of(set).map(({ kind, metadata: { name } }) => `${kind} ${name}`)
        expect(new Set(ids).size, 'a name for each').to.equal(ids.length)
      })

      it('has selectors that match exactly the pods and Services of their own component', () => {
        const services = ['api', 'manage', 'worker'].map((component) => `casino-rewards-${component}-metrics`)
        const pods = listPods(of(set)).map(({ name }) => name)
        const isTask = (name: string) =>
          of(set).some((one) => one.kind === 'CronJob' && one.metadata.name === name)
        const expectedOf = (selecting: string) => {
          const [kind, owner = ''] = selecting.replace(/-metrics$/, '').split(' ')
          if (kind === 'ServiceMonitor') return services
          if (owner.endsWith('-migrate')) return pods.filter((name) => name.startsWith(`${owner}-`))
          if (!/-(archive|task)$/.test(owner)) return [owner]
          const ofArchive = (name: string) => name.includes('-archive')
          return pods.filter((name) => isTask(name) && ofArchive(name) === ofArchive(owner))
        }
        const selected = namesOfSelected(of(set))
        expect(Object.keys(selected).length).to.be.at.least(8)
        for (const [selecting, names] of Object.entries(selected)) {
          expect(names, selecting).to.not.deep.equal([])
          expect(names, selecting).to.have.members(expectedOf(selecting))
        }
        expect(missingPorts(of(set)), 'ports of Services').to.deep.equal([])
        expect(textOf(of(set)), 'controllers other than Helm run no hooks').to.not.contain('helm.sh/hook')
      })

      it('spreads the pods of each deployment, and lets one of them go at a time', () => {
        const budgets = of(set).filter(({ kind }) => kind === 'PodDisruptionBudget')
        const deployments = of(set).filter(({ kind }) => kind === 'Deployment')
        expect(deployments).to.have.length(3)
        expect(budgets).to.have.length(set === 'small' ? 0 : 3)
        for (const { metadata, spec } of deployments) {
          const selector = fieldOf(spec, 'selector')
          const spread = fieldOf(spec, 'template', 'spec', 'topologySpreadConstraints')
          expect(spread, metadata.name).to.deep.equal(
            ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
              topologyKey,
              maxSkew: 1,
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: selector,
              matchLabelKeys: ['pod-template-hash'],
            })),
          )
          const own = budgets.filter(
            (budget) => textOf(fieldOf(budget.spec, 'selector')) === textOf(selector),
          )
          expect(
            own.map((budget) => budget.spec),
            metadata.name,
          ).to.deep.equal(
            set === 'small'
              ? []
              : [{ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector }],
          )
        }
      })

      it('gives pods the fewest possible rights', () => {
        const pods = listPods(of(set))
        expect(pods).to.have.length(set === 'tasks' ? 9 : 4)
        for (const { name, pod } of pods) {
          expect(fieldOf(pod, 'automountServiceAccountToken'), name).to.equal(false)
          expect(fieldOf(pod, 'securityContext'), name).to.deep.include({
            runAsNonRoot: true,
            runAsUser: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          })
          for (const container of containersOf(pod)) {
            expect(fieldOf(container, 'securityContext'), name).to.deep.equal({
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              privileged: false,
              capabilities: { drop: ['ALL'] },
            })
            expect(fieldOf(container, 'resources', 'limits', 'memory'), name).to.be.a('string')
          }
        }
      })

      it('has no secret in a variable, and a file for each that a variable names', () => {
        for (const { name, pod } of listPods(of(set))) {
          for (const container of containersOf(pod)) {
            const files = filesOf(pod, container)
            const environment = environmentOf(container)
            for (const secret of secretNames) expect([...environment.keys()], name).to.not.include(secret)
            const named = [...environment].filter(([variable]) => variable.endsWith('_FILE'))
            expect(named.length, name).to.be.greaterThan(1)
            for (const [variable, path] of named) {
              expect(
                [...secretNames.map((secret) => `${secret}_FILE`), 'AWS_SHARED_CREDENTIALS_FILE'],
                name,
              ).to.include(variable)
              expect(files, name).to.include(path)
            }
            expect(fieldOf(container, 'envFrom'), name).to.equal(undefined)
          }
        }
        const owners = listPods(of(set)).filter(({ pod }) =>
          containersOf(pod).some((container) =>
            filesOf(pod, container).some((path) => path.endsWith('migrate_database_url')),
          ),
        )
        expect(owners.every(({ name }) => /-(migrate|archive)(-|$)/.test(name))).to.equal(true)
      })

      it('sets only variables that the service has, each once', () => {
        for (const { name, pod } of listPods(of(set)))
          for (const container of containersOf(pod)) {
            const names = [...environmentOf(container).keys()].map((variable) =>
              variable.replace(/_FILE$/, ''),
            )
            expect(new Set(names).size, name).to.equal(names.length)
            for (const variable of names)
              expect([...Object.keys(variables), 'NODE_EXTRA_CA_CERTS', ...ofBuckets], name).to.include(
                variable,
              )
          }
      })

      it('gives processes the time that they take to stop, and asks ports that they listen on', () => {
        for (const component of ['api', 'manage', 'worker']) {
          const { pod } = listPods(of(set)).find(({ name }) => name.endsWith(`-${component}`)) ?? { pod: {} }
          const [container = {}] = containersOf(pod).slice(-1)
          const environment = environmentOf(container)
          const seconds = (name: string) => Number(environment.get(name))
          const drain = component === 'worker' ? 0 : seconds('DRAIN_DELAY_SECONDS')
          const grace = Number(fieldOf(pod, 'terminationGracePeriodSeconds'))
          expect(grace - drain - seconds('SHUTDOWN_TIMEOUT_SECONDS'), component).to.be.within(5, 30)
          const ports = new Map(
            (fieldOf(container, 'ports') as { name: string; containerPort: number }[]).map(
              ({ name, containerPort }) => [name, String(containerPort)],
            ),
          )
          const listensOn = ['PORT', 'ADMIN_PORT', 'METRICS_PORT', 'WORKER_PORT'].flatMap(
            (name) => environment.get(name) ?? [],
          )
          expect([...ports.values()], component).to.have.members(listensOn)
          const base = component === 'worker' ? '' : (environment.get('BASE_PATH') ?? '')
          const probes = { startupProbe: 'healthz', livenessProbe: 'healthz', readinessProbe: 'readyz' }
          for (const [probe, path] of Object.entries(probes)) {
            expect(fieldOf(container, probe, 'httpGet', 'path'), component).to.equal(`${base}/${path}`)
            expect([...ports.keys()], component).to.include(fieldOf(container, probe, 'httpGet', 'port'))
          }
          expect(fieldOf(container, 'command'), component).to.include(
            component === 'worker'
              ? 'dist/worker/main.js'
              : `dist/api/main${component === 'api' ? '' : '-manage'}.js`,
          )
          const [wait = {}] = containersOf(pod)
          expect(textOf(fieldOf(wait, 'command')), 'only waits').to.match(
            /dist\/prisma\/migrate\.js","--wait"\]$/,
          )
        }
      })

      it('does not set the number of pods of a deployment that is scaled automatically', () => {
        for (const { kind, spec } of of(set)) {
          if (kind !== 'HorizontalPodAutoscaler' && kind !== 'ScaledObject') continue
          const target = String(fieldOf(spec, 'scaleTargetRef', 'name'))
          expect(fieldOf(find(set, 'Deployment', target), 'spec', 'replicas'), target).to.equal(undefined)
          const min = fieldOf(spec, kind === 'ScaledObject' ? 'minReplicaCount' : 'minReplicas')
          expect(min, target).to.be.at.least(1)
        }
      })
    })
  }

  it('is rendered in deploy/kubernetes as it is (helm template casino-rewards deploy/helm/casino-rewards)', async () => {
    const text = await tools.helm('template', 'casino-rewards', chart)
    expect(readDocument('deploy/kubernetes/casino-rewards.yaml')).to.equal(text)
  })

  it('is rendered beside a Kustomization that sets its image, and names its Job after the version', () => {
    const text = readDocument('deploy/kubernetes/casino-rewards.yaml')
    const kustomization = parse(readDocument('deploy/kubernetes/kustomization.yaml')) as {
      resources: string[]
      images: { name: string; newTag: string }[]
      patches: { target: object; options: object; patch: string }[]
    }
    expect(kustomization.resources).to.deep.equal(['casino-rewards.yaml'])
    const [image = { name: '', newTag: '' }, ...otherImages] = kustomization.images
    const used = readManifests(text).flatMap((manifest) =>
      listPods([manifest]).flatMap(({ pod }) =>
        containersOf(pod).map((container) => fieldOf(container, 'image')),
      ),
    )
    expect([otherImages, new Set(used)]).to.deep.equal([[], new Set([`${image.name}:${image.newTag}`])])
    const [patch, ...otherPatches] = kustomization.patches
    expect(otherPatches).to.deep.equal([])
    expect(patch).to.deep.include({ target: { kind: 'Job' }, options: { allowNameChange: true } })
    expect(parse(patch?.patch ?? '')).to.deep.equal([
      {
        op: 'replace',
        path: '/metadata/name',
        value: `casino-rewards-migrate-${image.newTag.replaceAll('.', '-')}`,
      },
    ])
    expect(readManifests(text).filter(({ kind }) => kind === 'Job')).to.have.length(1)
  })

  it('makes no ingress and no objects of other controllers unless they are switched on', () => {
    const more = [
      'Ingress',
      'HTTPRoute',
      'ServiceMonitor',
      'PrometheusRule',
      'ConfigMap',
      'ScaledObject',
      'TriggerAuthentication',
    ]
    expect(kindsOf('default').filter((kind) => more.includes(kind))).to.deep.equal([])
    expect(kindsOf('ingress')).to.include('Ingress')
    expect(kindsOf('gateway').filter((kind) => kind === 'HTTPRoute')).to.have.length(3)
    expect(kindsOf('small')).to.not.include.members(['NetworkPolicy'])
  })

  it('publishes players, documents and signed updates, and management and the console only on hosts given for them', async () => {
    const pathsOf = (cell = '') => [...cell.matchAll(/(\/[\w./-]*)/g)].map(([path]) => path)
    const published = readTable(readDocument('docs/operate/kubernetes.md'), '## What is public')
    const [play = [], documents = [], casinos = [], operators = []] = published.map(([, , cell]) =>
      pathsOf(cell),
    )
    const everybody = [...play, ...documents]
    expect(casinos).to.deep.equal(['/admin/casinos'])
    expect(everybody.filter((path) => /^\/(admin|ops|metrics|healthz|readyz)?$/.test(path))).to.deep.equal([])
    const surfaces = readTable(readDocument('docs/operate/configure.md'), '## Surfaces')
    const [ofPlay, ofManage] = surfaces.map(([, cell]) => pathsOf(cell))
    expect(play).to.deep.equal(ofPlay)
    expect([...(ofManage ?? []), '/admin/casinos']).to.include.members([...documents, ...operators])
    expect(publishedPaths(of('ingress'), '/rewards/v1')).to.deep.equal({
      'rewards.example': everybody,
      'manage.rewards.example': casinos,
      'console.internal.example': operators,
    })
    expect(publishedPaths(of('gateway'))).to.deep.equal({
      'rewards.example': [...everybody, ...casinos],
      'console.internal.example': operators,
    })
    const bare = {
      Ingress: 'ingress.enabled=true,ingress.host=a.example,ingress.tlsSecret=a',
      HTTPRoute: 'gateway.enabled=true,gateway.parentRefs[0].name=public,gateway.hostnames[0]=a.example',
    }
    for (const [kind, values] of Object.entries(bare)) {
      const manifests = await tools.render('--set', values)
      expect(publishedPaths(manifests), kind).to.deep.equal({ 'a.example': everybody })
    }
    const oneHost = await tools.render('--set', `${bare.Ingress},ingress.manageHost=a.example`)
    expect(publishedPaths(oneHost)).to.deep.equal({ 'a.example': [...everybody, ...casinos] })
  })

  it('gives the type Prefix only to paths that ingress-nginx accepts with it, and another type only to files', () => {
    const rules = fieldOf(find('ingress', 'Ingress', 'casino-rewards').spec, 'rules') as object[]
    const paths = rules.flatMap(
      (rule) => fieldOf(rule, 'http', 'paths') as { path: string; pathType: string }[],
    )
    const base = /^\/rewards\/v1/
    const specific = paths.filter(({ pathType }) => pathType === 'ImplementationSpecific')
    expect([...new Set(specific.map(({ path }) => path.replace(base, '')))]).to.have.members([
      '/openapi.json',
      '/.well-known/security.txt',
    ])
    // Its option strict-validate-path-type, which is on by default.
    for (const { path, pathType } of paths)
      if (pathType !== 'ImplementationSpecific') expect(path).to.match(/^\/[\w/-]*$/)
  })

  it('sends each published path to the surface that answers it', () => {
    const routes = ['ingress', 'gateway'].flatMap((set) => listRoutes(of(set), '/rewards/v1'))
    expect(routes.length).to.be.greaterThan(20)
    for (const { path, service } of routes) {
      const isPlay = /^\/(box|boxes|prize|fairness|verify)(\/|$)/.test(path)
      expect(service, path).to.equal(`casino-rewards-${isPlay ? 'api' : 'manage'}`)
    }
  })

  it('scrapes every process, by Services that exist', async () => {
    const names = ['api', 'manage', 'worker'].map((component) => `casino-rewards-${component}-metrics`)
    for (const set of ['strict', 'keda-prometheus'])
      expect(listScrapes(of(set)), set).to.deep.equal(names.map((name) => `${name} /metrics`))
    const based = await tools.render('--set', 'serviceMonitor.enabled=true,config.basePath=/rewards')
    expect(listScrapes(based)).to.deep.equal([
      'casino-rewards-api-metrics /rewards/metrics',
      'casino-rewards-manage-metrics /rewards/metrics',
      'casino-rewards-worker-metrics /metrics',
    ])
    expect(sets.flatMap((set) => kindsOf(set))).to.not.include('PodMonitor')
  })

  it('opens management only to the configured peers and to those that scrape, not to every pod', () => {
    const rules = fieldOf(find('strict', 'NetworkPolicy', 'casino-rewards-manage').spec, 'ingress')
    expect(rules).to.have.length(2)
    for (const rule of rules as object[]) expect(rule).to.have.property('from')
  })

  it('gives every process the way to PostgreSQL past a pooler if there is one, and KEDA no other', () => {
    const path = '/run/secrets/rewards/database_direct_url'
    for (const { name, pod } of listPods(of('strict'))) {
      for (const container of containersOf(pod))
        expect(environmentOf(container).get('DATABASE_DIRECT_URL_FILE'), name).to.equal(path)
      const { spec } = find('strict', 'NetworkPolicy', name.replace(/-migrate-.*/, '-migrate'))
      expect(textOf(fieldOf(spec, 'egress')), name)
        .to.contain('10.1.2.3/32')
        .and.to.contain('10.1.2.5/32')
    }
    expect(textOf(of('default'))).to.not.contain('database_direct_url')
    const { spec } = find('keda-postgresql', 'TriggerAuthentication', 'casino-rewards-worker')
    expect(fieldOf(spec, 'secretTargetRef', '0')).to.deep.equal({
      parameter: 'connection',
      name: 'casino-rewards-direct',
      key: 'database_direct_url',
    })
  })

  it('gives only management the replica for lists, and the way there', () => {
    for (const { name, pod } of listPods(of('strict'))) {
      const isManage = name.endsWith('-manage')
      for (const container of containersOf(pod)) {
        const isService = isManage && fieldOf(container, 'name') !== 'wait-for-schema'
        expect(environmentOf(container).get('DATABASE_REPLICA_URL_FILE'), name).to.equal(
          isService ? '/run/secrets/rewards/database_replica_url' : undefined,
        )
      }
      const { spec } = find('strict', 'NetworkPolicy', name.replace(/-migrate-.*/, '-migrate'))
      expect(textOf(fieldOf(spec, 'egress')).includes('10.1.2.6/32'), name).to.equal(isManage)
    }
    expect(textOf(of('default'))).to.not.contain('database_replica_url')
  })

  it('gives every container the own certificate authority, if there is one', () => {
    const keys = {
      strict: ['secret', 'secretName', 'root.pem'],
      small: ['configMap', 'name', 'ca.crt'],
    } as const
    for (const [set, [kind, name, key]] of Object.entries(keys)) {
      const pods = listPods(of(set))
      expect(pods).to.have.length(4)
      for (const { name: owner, pod } of pods) {
        for (const container of containersOf(pod)) {
          const path = environmentOf(container).get('NODE_EXTRA_CA_CERTS')
          expect(filesOf(pod, container), owner).to.include(path)
        }
        const volume = (fieldOf(pod, 'volumes') as { name: string }[]).find((one) => one.name === 'ca')
        expect(fieldOf(volume, kind), owner).to.deep.equal({
          [name]: 'company-ca',
          items: [{ key, path: 'ca.crt' }],
        })
      }
    }
    expect(textOf(of('default'))).to.not.contain('NODE_EXTRA_CA_CERTS')
  })

  it('places all pods as configured, and those of a component by its own values', () => {
    const shared = [{ key: 'dedicated', operator: 'Equal', value: 'rewards', effect: 'NoSchedule' }]
    for (const { name, pod, labels } of listPods(of('strict'))) {
      const isWorker = name.endsWith('-worker')
      expect(labels, name).to.include({ 'example.com/cost-centre': 'rewards' })
      expect(fieldOf(pod, 'serviceAccountName'), name).to.equal('rewards')
      expect(fieldOf(pod, 'nodeSelector'), name).to.deep.equal({
        'kubernetes.io/arch': 'arm64',
        pool: isWorker ? 'background' : 'shared',
      })
      expect(fieldOf(pod, 'tolerations'), name).to.deep.equal(isWorker ? [{ operator: 'Exists' }] : shared)
      expect(fieldOf(pod, 'priorityClassName'), name).to.equal(isWorker ? 'low' : undefined)
      expect(fieldOf(pod, 'affinity') !== undefined, name).to.equal(isWorker)
    }
    for (const { metadata, spec } of of('strict')) {
      const template = fieldOf(spec, 'template', 'metadata')
      if (template === undefined) continue
      expect(fieldOf(template, 'annotations'), metadata.name).to.deep.equal({ 'example.com/team': 'rewards' })
    }
  })

  it('scales workers by every queue with the trigger redis, under the prefix of the queues', () => {
    const text = textOf(find('keda-redis', 'ScaledObject', 'casino-rewards-worker'))
    const keys = jobNames.flatMap((name) =>
      ['wait', 'prioritized'].map((jobs) => `${queuePrefix('other', name)}:${name}:${jobs}`),
    )
    const listed = [...text.matchAll(/"listName":"([^"]+)"/g)].map(([, key]) => key)
    expect(listed).to.have.members(keys)
  })

  it('scales workers with Prometheus by a metric that exists, and does not treat a missing value as no work', () => {
    const scaled = find('keda-prometheus', 'ScaledObject', 'casino-rewards-worker')
    expect(fieldOf(scaled.spec, 'triggers', '0', 'metadata', 'query')).to.equal(
      'max(rewards_outbox_depth{namespace="casino-rewards"})',
    )
    const metrics = readTable(readDocument('docs/operate/watch.md'), '## Metrics').map(([name]) => name)
    expect(metrics).to.include('rewards_outbox_depth')
    expect(textOf(scaled)).to.contain('"ignoreNullValues":"false"').and.to.contain('"replicas":4')
  })
})
