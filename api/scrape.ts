import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Registry } from 'prom-client'
import { renderMetrics } from '../core/platform/process-metrics.ts'

/** The answer to a scrape: all metrics as text, and the same compressed. */
export interface Scraped {
  identity: Buffer
  gzip: Buffer
}

/** However many scrape, and however often: the metrics are rendered at most so often. */
const defaultKeepMs = 1_000

/**
 * Renders the metrics of a registry. Rendering and compressing them takes many times as long as answering a player, so
 * a scrape while they are being rendered, or within a second after, gets the same.
 */
export function createScrape(
  registry: Pick<Registry, 'metrics'>,
  { nowMs, keepMs = defaultKeepMs }: { nowMs: () => number; keepMs?: number | undefined },
): () => Promise<Scraped> {
  let latest: { scraped: Promise<Scraped>; endedMs?: number } | undefined

  const render = async () => {
    const identity = Buffer.from(await renderMetrics(registry))
    return { identity, gzip: await promisify(gzip)(identity) }
  }
  return () => {
    const isKept = latest?.endedMs === undefined || nowMs() - latest.endedMs < keepMs
    if (latest !== undefined && isKept) return latest.scraped
    const next: typeof latest = { scraped: render() }
    latest = next
    next.scraped.then(
      () => (next.endedMs = nowMs()),
      () => (latest = undefined),
    )
    return next.scraped
  }
}
