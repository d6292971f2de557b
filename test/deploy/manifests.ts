import type { Manifest } from '../support/chart-tools.ts'

/** A field of a document by its path; undefined if there is not one. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    value,
  )
}

export function textOf(value: unknown): string {
  return JSON.stringify(value)
}

/** The pod templates, each with the name of the object that has it. */
export function listPods(
  manifests: readonly Manifest[],
): { name: string; pod: object; labels: object; annotations: unknown }[] {
  return manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    const template =
      kind === 'CronJob' ? fieldOf(spec, 'jobTemplate', 'spec', 'template') : fieldOf(spec, 'template')
    const pod = fieldOf(template, 'spec') as object | undefined
    const labels = fieldOf(template, 'metadata', 'labels') as object
    const annotations = fieldOf(template, 'metadata', 'annotations')
    return pod === undefined ? [] : [{ name, pod, labels, annotations }]
  })
}

/** The containers of a pod, its init containers first. */
export function containersOf(pod: object): object[] {
  return ['initContainers', 'containers'].flatMap((key) => (fieldOf(pod, key) ?? []) as object[])
}

export function environmentOf(container: object): Map<string, string> {
  const variables = (fieldOf(container, 'env') ?? []) as { name: string; value?: string }[]
  return new Map(
    variables.map(({ name, value }) => {
      if (value === undefined) throw new Error(`${name} has no value of its own`)
      return [name, value]
    }),
  )
}

/** The paths of the files of Secrets and ConfigMaps that a container of the pod sees. */
export function filesOf(pod: object, container: object): string[] {
  const mounts = (fieldOf(container, 'volumeMounts') ?? []) as {
    name: string
    mountPath: string
    readOnly?: boolean
  }[]
  return mounts.flatMap(({ name, mountPath, readOnly }) => {
    const volume = ((fieldOf(pod, 'volumes') ?? []) as { name: string }[]).find((one) => one.name === name)
    if (volume === undefined) throw new Error(`there is no volume ${name}`)
    if (readOnly !== true && fieldOf(volume, 'persistentVolumeClaim') === undefined)
      throw new Error(`${name} can be written`)
    const sources = [volume, ...((fieldOf(volume, 'projected', 'sources') ?? []) as object[])]
    return sources
      .flatMap((source) => fieldOf(source, 'secret', 'items') ?? fieldOf(source, 'configMap', 'items') ?? [])
      .map((item) => `${mountPath}/${String(fieldOf(item, 'path'))}`)
  })
}

/**
 * The names of the objects that each selector matches, by the kind and name of its object: Services for a ServiceMonitor,
 * pods, by the objects that have their template, for everything else that has one (a Service, policy, budget or Deployment).
 */
export function namesOfSelected(manifests: readonly Manifest[]): Record<string, string[]> {
  return Object.fromEntries(
    manifests.flatMap((manifest) => {
      const selected = listSelected(manifests, manifest)?.map(({ name }) => name)
      return selected === undefined ? [] : [[`${manifest.kind} ${manifest.metadata.name}`, selected]]
    }),
  )
}

/** The pods or Services that the selector of this object matches; undefined without a selector. */
function listSelected(manifests: readonly Manifest[], { kind, spec }: Manifest): Labelled[] | undefined {
  const selector =
    kind === 'Service'
      ? fieldOf(spec, 'selector')
      : fieldOf(spec, kind === 'NetworkPolicy' ? 'podSelector' : 'selector', 'matchLabels')
  if (selector === undefined) return undefined
  const wanted = Object.entries(selector as object) as [string, string][]
  const candidates = kind === 'ServiceMonitor' ? listServices(manifests) : listPods(manifests)
  return candidates.filter(({ labels }) => wanted.every(([key, value]) => fieldOf(labels, key) === value))
}

interface Labelled {
  name: string
  labels: object
}

const listServices = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Service')
    .map((service) => ({ name: service.metadata.name, labels: service.metadata.labels ?? {}, service }))

/** The names that a Service leads to and its pods do not have among their ports. */
export function missingPorts(manifests: readonly Manifest[]): string[] {
  return listServices(manifests).flatMap(({ name, service }) => {
    const pods = listPods(manifests).filter((pod) =>
      listSelected(manifests, service)?.some((selected) => selected.name === pod.name),
    )
    const targets = (fieldOf(service.spec, 'ports') as { targetPort: string }[]).map(
      ({ targetPort }) => targetPort,
    )
    return pods.flatMap(({ pod }) => {
      const named = containersOf(pod).flatMap(
        (container) => (fieldOf(container, 'ports') ?? []) as { name: string }[],
      )
      const missing = targets.filter((target) => !named.some((port) => port.name === target))
      return missing.map((target) => `${name}: ${target}`)
    })
  })
}

/** The endpoints of the ServiceMonitors, each with the Services that have its port, as `name path`. */
export function listScrapes(manifests: readonly Manifest[]): string[] {
  const monitors = manifests.filter(({ kind }) => kind === 'ServiceMonitor')
  return monitors.flatMap((monitor) => {
    const selected = listSelected(manifests, monitor) ?? []
    const services = listServices(manifests).filter(({ name }) => selected.some((one) => one.name === name))
    return (fieldOf(monitor.spec, 'endpoints') as { port: string; path: string }[]).flatMap(
      ({ port, path }) => {
        const scraped = services.filter(({ service }) =>
          (fieldOf(service.spec, 'ports') as { name: string }[]).some(({ name }) => name === port),
        )
        return scraped.length === 0 ? [`nothing has ${port}`] : scraped.map(({ name }) => `${name} ${path}`)
      },
    )
  })
}

/** A path of a host, and the Service that an Ingress or an HTTPRoute sends it to. */
interface PublicRoute {
  host: string
  path: string
  service: string
}

/** The routes of the Ingress and the HTTPRoutes, with paths as the service has them, without `basePath`. */
export function listRoutes(manifests: readonly Manifest[], basePath = ''): PublicRoute[] {
  const list = (value: unknown, ...path: readonly string[]) => (fieldOf(value, ...path) ?? []) as object[]
  const text = (value: unknown, ...path: readonly string[]) => String(fieldOf(value, ...path))
  return manifests.flatMap(({ kind, spec }) => {
    if (kind === 'Ingress')
      return list(spec, 'rules').flatMap((rule) =>
        list(rule, 'http', 'paths').map((entry) => ({
          host: text(rule, 'host'),
          path: withoutBase(text(entry, 'path'), basePath),
          service: text(entry, 'backend', 'service', 'name'),
        })),
      )
    if (kind !== 'HTTPRoute') return []
    return (fieldOf(spec, 'hostnames') as string[]).flatMap((host) =>
      list(spec, 'rules').flatMap((rule) =>
        list(rule, 'matches').map((match) => ({
          host,
          path: withoutBase(text(match, 'path', 'value'), basePath),
          service: text(rule, 'backendRefs', '0', 'name'),
        })),
      ),
    )
  })
}

/** The published paths of each host, in the order of the manifests. */
export function publishedPaths(manifests: readonly Manifest[], basePath = ''): Record<string, string[]> {
  const hosts: Record<string, string[]> = {}
  for (const { host, path } of listRoutes(manifests, basePath)) (hosts[host] ??= []).push(path)
  return hosts
}

function withoutBase(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}
