/**
 * The metrics of the process for Prometheus. Code that counts something uses only the port `Metrics`. Every name, its
 * labels and its meaning are in the table, so that a misspelled metric is an error and not a silent gap.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from './port.js'
import { type HistogramName, METRIC_TABLE, type MetricSpec } from './table.js'

export interface ProcessMetrics extends Metrics {
  /** Adds one value to a histogram. */
  observe(name: HistogramName, value: number, labels?: Readonly<Record<string, string>>): void
  /** `collect` is called before each scrape and sets gauges. */
  onScrape(collect: () => void | Promise<void>): void
  /** The text that Prometheus reads. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>
}

export function createMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'plumbline_' })
  const collectors: (() => void | Promise<void>)[] = []
  const byName = new Map<string, Counter | Gauge | Histogram>(
    METRIC_TABLE.map((spec) => [spec.name, create(spec, registry)] as const),
  )
  const find = <T>(name: string, kind: new (...args: never[]) => T): T => {
    const metric = byName.get(name)
    if (!(metric instanceof kind))
      throw new Error(`${name} is not a ${kind.name.toLowerCase()} of the table of metrics`)
    return metric
  }
  return {
    count: (name, labels = {}, by = 1) => find(name, Counter).inc(labels, by),
    gauge: (name, value, labels = {}) => find(name, Gauge).set(labels, value),
    observe: (name, value, labels = {}) => find(name, Histogram).observe(labels, value),
    onScrape: (collect) => void collectors.push(collect),
    async text() {
      await Promise.all(collectors.map((collect) => collect()))
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

function create(spec: MetricSpec, registry: Registry): Counter | Gauge | Histogram {
  const options = { name: spec.name, help: spec.help, labelNames: [...(spec.labels ?? [])], registers: [registry] }
  if (spec.kind === 'counter') return new Counter(options)
  if (spec.kind === 'gauge') return new Gauge(options)
  return new Histogram({ ...options, ...(spec.buckets ? { buckets: [...spec.buckets] } : {}) })
}
