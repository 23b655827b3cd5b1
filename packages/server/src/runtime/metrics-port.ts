/** What code that counts something needs to know of metrics: nothing but a name, its labels and a number. */
export interface Metrics {
  /** Adds to a counter. */
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void
  /** Sets a gauge. */
  gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void
}

/** For tools and tests that keep no metrics. */
export const noMetrics: Metrics = { count: () => undefined, gauge: () => undefined }
