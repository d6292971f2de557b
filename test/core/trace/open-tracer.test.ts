import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)

describe('OpenTelemetry', () => {
  it('is loaded where tracing is on, but not with the programs or by opening a tracer that is off', async () => {
    const config = {
      url: 'http://127.0.0.1:9/v1/traces',
      headers: {},
      sampler: 'always_on',
      queueSizeMax: 10,
    }
    // In a process of its own. The packages' types, and what prom-client has of them, are always loaded.
    const script = `
      import { createRequire } from 'node:module'
      const countLoaded = () =>
        Object.keys(createRequire(import.meta.url).cache).filter((path) => /@opentelemetry.(?!api[^-])/.test(path)).length
      await import('./api/run.ts')
      await import('./worker/program.ts')
      const { openTracer } = await import('./core/trace/open-tracer.ts')
      await openTracer(undefined, { service: 'api' })
      const whileOff = countLoaded()
      await openTracer(${JSON.stringify(config)}, { service: 'api' })
      console.log(JSON.stringify({ whileOff, whileOn: countLoaded() }))`
    const options = ['--import', 'tsx', '--input-type=module']
    const { stdout } = await run(process.execPath, [...options, '--eval', script])
    const { whileOff, whileOn } = JSON.parse(stdout) as { whileOff: number; whileOn: number }
    expect(whileOff).to.equal(0)
    expect(whileOn).to.be.greaterThan(10)
  })
})
