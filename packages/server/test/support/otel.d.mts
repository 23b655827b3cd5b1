import type { Attributes, SpanContext } from '@opentelemetry/api'

interface FinishedSpan {
  readonly name: string
  readonly attributes: Attributes
  readonly parentSpanContext?: SpanContext
  spanContext(): SpanContext
}

export const exporter: { getFinishedSpans(): FinishedSpan[] }
export const provider: { shutdown(): Promise<void> }
