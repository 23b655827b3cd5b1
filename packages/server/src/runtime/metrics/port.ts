/** The port for code that counts something: a name of the table, its labels and a number. */
import type { CounterName, GaugeName } from './table.js'

export interface Metrics {
  /** Adds to a counter. */
  count(name: CounterName, labels?: Readonly<Record<string, string>>, by?: number): void
  /** Sets a gauge. */
  gauge(name: GaugeName, value: number, labels?: Readonly<Record<string, string>>): void
}

/** For tools and tests that keep no metrics. */
export const noMetrics: Metrics = { count: () => undefined, gauge: () => undefined }
