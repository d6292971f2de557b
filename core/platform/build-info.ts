import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { serviceVersion } from './version.ts'

/** Says which release a process runs, so that graphs and alerts can be read beside deployments. */
export function addBuildInfo(registry: Registry, program: 'api' | 'manage' | 'worker'): void {
  new Gauge({
    name: 'rewards_build_info',
    help: 'Always 1. Its labels are the program, its version and the version of Node.',
    labelNames: ['program', 'version', 'node'],
    registers: [registry],
  }).set({ program, version: serviceVersion(), node: process.versions.node }, 1)
}
