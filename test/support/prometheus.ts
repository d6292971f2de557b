import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../local/child.ts'
import { eventually } from './eventually.ts'
import { findOnPath } from '../../local/find-on-path.ts'
import { makeServerFolder } from './server-folder.ts'

/** A Prometheus that scrapes every second. */
export interface Prometheus {
  /** The values of an expression now, without those that are not numbers. */
  ask(expression: string): Promise<number[]>
  stop(): Promise<void>
}

/** A group of `scrape_configs`: where the metrics are, and what else is known of them. */
export interface ScrapeTarget {
  url: string
  labels: Readonly<Record<string, string>>
}

/** Starts Debian's Prometheus (see `needPrometheus`), with these files of rules. */
export async function startPrometheus(
  targets: readonly ScrapeTarget[],
  ruleFiles: readonly string[],
): Promise<Prometheus> {
  const folder = makeServerFolder()
  const configFile = join(folder, 'prometheus.json')
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: [
      {
        job_name: 'rewards',
        static_configs: targets.map(({ url, labels }) => ({ targets: [new URL(url).host], labels })),
      },
    ],
  }
  writeFileSync(configFile, JSON.stringify(config))
  const lines: string[] = []
  const child = await startChild({
    command: findOnPath('prometheus') ?? 'prometheus',
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
    onLine: (line) => lines.push(line),
  })
  const stop = async () => {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const address = await eventually('Prometheus listens', () => {
      if (child.hasEnded()) throw new Error(`Prometheus did not start:\n${lines.join('\n')}`)
      const said = lines.join('\n')
      return (
        said.includes('ready to receive web requests') && /"Listening on".* address=(\S+)/.exec(said)?.[1]
      )
    })
    return { ask: (expression) => ask(`http://${address}`, expression), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Answer {
  status: string
  error?: string
  data?: { result: { value: [number, string] }[] }
}

async function ask(url: string, expression: string): Promise<number[]> {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`)
  const answer = (await response.json()) as Answer
  if (answer.data === undefined) throw new Error(`${expression}: ${answer.error ?? answer.status}`)
  return answer.data.result.map(({ value: [, text] }) => Number(text)).filter((value) => !Number.isNaN(value))
}
