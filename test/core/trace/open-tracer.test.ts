import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)

/** Loads modules in a process of its own, and counts what of OpenTelemetry was loaded with them; its types come with prom-client. */
async function countLoaded(code: string): Promise<number> {
  const count =
    'Object.keys(createRequire(import.meta.url).cache).filter((path) => /@opentelemetry.(?!api[^-])/.test(path)).length'
  const script = `import { createRequire } from 'node:module'; ${code}; console.log(${count})`
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script])
  return Number(stdout)
}

describe('OpenTelemetry', () => {
  it('is not loaded with the programs, nor by opening a tracer that is off', async () => {
    const code = `
      await import('./api/run.ts')
      await import('./worker/program.ts')
      const { openTracer } = await import('./core/trace/open-tracer.ts')
      await openTracer(undefined, { service: 'api' })`
    expect(await countLoaded(code)).to.equal(0)
  })

  it('is loaded where tracing is on', async () => {
    const config = {
      url: 'http://127.0.0.1:9/v1/traces',
      headers: {},
      sampler: 'always_on',
      queueSizeMax: 10,
    }
    const code = `
      const { openTracer } = await import('./core/trace/open-tracer.ts')
      await openTracer(${JSON.stringify(config)}, { service: 'api' })`
    expect(await countLoaded(code)).to.be.greaterThan(10)
  })
})
