import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse } from 'yaml'
import { secretNames, variables } from '../../core/platform/config-variables.ts'
import { needProgram } from '../support/need-program.ts'
import { needPrometheus, runPromtool } from '../support/promtool.ts'

const root = join(import.meta.dirname, '../..')
const own = ['api', 'manage', 'worker', 'migrate', 'postgres', 'redis']
const watching = ['prometheus', 'grafana', 'jaeger']
const services = [...own, ...watching]
const env = { TRUST_PROXY: 'true', SECRETS_DIR: '/somewhere/else' }

interface Service {
  cap_drop?: string[]
  security_opt?: string[]
  pids_limit?: number
  networks?: string[]
  secrets?: string[]
  command?: string[]
  environment?: Record<string, string>
  profiles?: string[]
  ports?: string[]
  volumes?: string[]
}

interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  secrets: Record<string, { file: string }>
}

/** The file as docker-compose reads it: `$VAR` is filled in, `$$` is a dollar, and a missing required value throws. */
function readCompose(given: Readonly<Partial<Record<string, string>>>): Compose {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  const filled = text.replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (form, name?: string, kind?: string, otherwise: string = '') => {
      if (name === undefined) return '$'
      const value = given[name] ?? ''
      if (value !== '') return value
      if (kind === '?') throw new Error(`${name} is missing: ${otherwise}`)
      if (kind === undefined) throw new Error(`${form} has neither a default nor an error`)
      return otherwise
    },
  )
  return parse(filled, { merge: true }) as Compose
}

describe('docker-compose.yml', function () {
  this.timeout(30_000)
  const compose = readCompose(env)

  const bodyOf = (service: string): Service => {
    const body = compose.services[service]
    if (body === undefined) throw new Error(`there is no ${service}`)
    return body
  }

  it('is valid for docker-compose, which checks more than this test', async function () {
    const program = needProgram(this, ['docker-compose'], 'docker-compose')
    const config = (given: object) =>
      promisify(execFile)(program, ['config'], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...given },
      })
    expect((await config(env)).stdout).to.contain('postgres')
    const profile = { ...env, COMPOSE_PROFILES: 'observability' }
    expect((await config(profile)).stdout).to.contain('grafana')
    const { TRUST_PROXY, ...others } = env
    const failure = await config(others).then(
      () => 'none',
      (error: unknown) => String(error),
    )
    expect(failure, `without TRUST_PROXY (${TRUST_PROXY})`).to.contain('TRUST_PROXY')
  })

  it('has all services, and a Redis that drops no jobs', () => {
    expect(Object.keys(compose.services)).to.have.members(services)
    for (const service of own) expect(bodyOf(service).profiles, service).to.equal(undefined)
    expect(bodyOf('redis').command?.join(' ')).to.contain('maxmemory-policy noeviction')
  })

  it('requires a statement about a proxy, because a wrong guess lets callers choose their address or share one', () => {
    const { TRUST_PROXY, ...others } = env
    expect(() => readCompose(others)).to.throw('TRUST_PROXY is missing')
    for (const service of ['api', 'manage']) {
      expect(String(bodyOf(service).environment?.['TRUST_PROXY']), service).to.equal(TRUST_PROXY)
    }
  })

  it('passes every secret as a file that the service knows, and none by value', () => {
    let count = 0
    for (const service of services) {
      const { environment = {}, command = [], secrets = [] } = bodyOf(service)
      const text = [...Object.values(environment), ...command].join('\n')
      for (const [, name] of text.matchAll(/\/run\/secrets\/(\w+)/g)) {
        expect(secrets, service).to.include(name)
        count += 1
      }
      for (const name of Object.keys(environment)) {
        expect([...secretNames, 'POSTGRES_PASSWORD', 'GF_SECURITY_ADMIN_PASSWORD'], service).not.to.include(
          name,
        )
      }
      expect(text, service).not.to.match(/:\/\/\w+:/)
    }
    expect(count).to.be.greaterThan(12)
  })

  it('gives the migration no secrets but the addresses', () => {
    expect(Object.keys(bodyOf('migrate').environment ?? {})).to.have.members([
      'DATABASE_URL_FILE',
      'MIGRATE_DATABASE_URL_FILE',
      'REDIS_URL_FILE',
    ])
    for (const service of ['api', 'manage', 'worker'])
      expect(bodyOf(service).secrets).not.to.include('migrate_database_url')
  })

  it('gives every container few privileges, and only the services access to the stores', () => {
    for (const service of services) {
      const body = bodyOf(service)
      expect(body.cap_drop, service).to.deep.equal(['ALL'])
      expect(body.security_opt, service).to.include('no-new-privileges:true')
      expect(body.pids_limit, service).to.be.a('number')
    }
    expect(bodyOf('postgres').networks).to.deep.equal(['database'])
    expect(bodyOf('redis').networks).to.deep.equal(['queues'])
    expect(bodyOf('migrate').networks).to.deep.equal(['database'])
    expect(Object.values(compose.networks)).to.deep.equal([{ internal: true }, { internal: true }])
  })

  it('starts what shows metrics and traces with the profile observability only, for this host only', () => {
    for (const service of watching) {
      const { profiles, ports, volumes = [] } = bodyOf(service)
      expect(profiles, service).to.deep.equal(['observability'])
      expect(ports, service).to.have.length(1)
      expect(ports?.[0], service).to.match(/^127\.0\.0\.1:/)
      for (const volume of volumes.filter((text) => text.startsWith('./'))) {
        expect(volume).to.match(/:ro$/)
        expect(existsSync(join(root, volume.split(':')[0] ?? '')), volume).to.equal(true)
      }
    }
    for (const service of ['api', 'manage', 'worker'])
      expect(bodyOf(service).environment, service).to.include({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  })

  it('scrapes each service at the port of its metrics, with the alert rules, and shows the dashboards', () => {
    interface Scrape {
      dns_sd_configs: [{ names: string[]; port: number }]
    }
    const read = (name: string) =>
      parse(readFileSync(join(root, 'deploy/observability', name), 'utf8')) as object
    const ports = { api: 'METRICS_PORT', manage: 'ADMIN_PORT', worker: 'WORKER_PORT' }
    const { scrape_configs: scrapes } = read('prometheus.yml') as { scrape_configs: Scrape[] }
    expect(scrapes.map(({ dns_sd_configs: [{ names, port }] }) => [names, String(port)])).to.deep.equal(
      Object.entries(ports).map(([name, port]) => [[name], bodyOf(name).environment?.[port]]),
    )
    expect(bodyOf('prometheus').volumes).to.include('./deploy/prometheus:/etc/prometheus/rules:ro')
    const { datasources } = read('data-sources.yml') as { datasources: { url: string }[] }
    for (const { url } of datasources) expect(watching).to.include(new URL(url).hostname)
    const { providers } = read('dashboards.yml') as { providers: { options: { path: string } }[] }
    expect(bodyOf('grafana').volumes).to.include(`./deploy/grafana:${providers[0]?.options.path}:ro`)
  })

  it('has a configuration that Prometheus accepts', async function () {
    needPrometheus(this)
    const file = join(root, 'deploy/observability/prometheus.yml')
    const { isAccepted, said } = await runPromtool(['check', 'config', '--syntax-only', file])
    expect(isAccepted, said).to.equal(true)
  })

  it('passes the variables of single sign-on to the console only, and their secret as a file', () => {
    const given = {
      ...env,
      OIDC_ISSUER: 'https://login.example/realm',
      OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc_client_secret',
      OIDC_CLIENT_SECRET_SOURCE: '/etc/rewards/oidc',
    }
    const { services: bodies, secrets } = readCompose(given)
    const names = Object.keys(variables).filter(
      (name) => name.startsWith('OIDC_') && !(secretNames as readonly string[]).includes(name),
    )
    expect(names.length).to.be.greaterThan(5)
    expect(Object.keys(bodies['manage']?.environment ?? {})).to.include.members([
      ...names,
      'OIDC_CLIENT_SECRET_FILE',
    ])
    expect(bodies['manage']?.environment).to.include({ OIDC_ISSUER: given.OIDC_ISSUER })
    expect(secrets['oidc_client_secret']?.file).to.equal('/etc/rewards/oidc')
    expect(bodies['manage']?.secrets).to.include('oidc_client_secret')
    for (const name of ['api', 'worker', 'migrate'])
      expect(Object.keys(bodies[name]?.environment ?? {}).join(), name).not.to.contain('OIDC')
    expect(bodyOf('manage').environment?.['OIDC_ISSUER'], 'off unless it is configured').to.equal('')
  })

  it('takes the files from the configured folder', () => {
    const files = Object.entries(compose.secrets).flatMap(([name, { file }]) =>
      name === 'oidc_client_secret' ? [] : [file],
    )
    expect(files).to.have.length(9)
    for (const path of files) expect(path).to.match(/^\/somewhere\/else\/\w+$/)
  })
})
