/**
 * Spans of operations and jobs, for the OpenTelemetry SDK that the process was started with (`node --import …`).
 * Without an SDK nothing is created or measured. A span has the name of its operation, never a path, because paths may
 * contain secrets. It does not contain messages of errors either.
 */
import {
  type Context,
  context,
  createTraceState,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { SERVER_VERSION } from './version.js'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)

/** A span of other work (W3C Trace Context); null for a text that is absent or malformed. */
export function parseTraceparent(text: string | null): SpanContext | null {
  if (text === null) return null
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text) ?? []
  if (traceId === '' || traceId === NO_TRACE || spanId === NO_SPAN) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`

/** The span of the caller's request; null when the headers are absent or malformed. */
export function remoteSpan(headers: Pick<Headers, 'get'>): SpanContext | null {
  const parent = parseTraceparent(headers.get('traceparent'))
  const state = headers.get('tracestate')
  return parent === null || state === null ? parent : { ...parent, traceState: createTraceState(state) }
}

/** The tracer of the registered SDK; null without one. It is read each time, because an SDK may be registered late. */
function registered(): Tracer | null {
  const provider = trace.getTracerProvider()
  const tracer =
    provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer('plumbline', SERVER_VERSION)
      : provider.getTracer('plumbline', SERVER_VERSION)
  return tracer ?? null
}

export interface SpanStart {
  readonly name: string
  readonly kind: 'request' | 'job'
  readonly attributes: Readonly<Record<string, string | number>>
  /** The span that the work continues, when the process has no current span for it. */
  readonly parent: () => SpanContext | null
}

/** Lets running work add to its span. */
export interface Traced {
  /** 32 hex digits. */
  readonly traceId: string
  /** The span itself, for work that continues elsewhere. */
  readonly traceparent: string
  set(name: string, value: string | number): void
  /**
   * Marks the work as failed by a fault of the server.
   *
   * @param type A code, never a message.
   */
  failed(type: string): void
}

/** Runs the work inside a span that ends with it; `null` when there is no SDK. */
export function traced<T>(start: () => SpanStart, run: (span: Traced | null) => Promise<T>): Promise<T> {
  const tracer = registered()
  return tracer === null ? run(null) : inSpan(tracer, start(), run)
}

async function inSpan<T>(tracer: Tracer, start: SpanStart, run: (span: Traced) => Promise<T>): Promise<T> {
  const parent = parentOf(start)
  const span = tracer.startSpan(
    start.name,
    { kind: start.kind === 'request' ? SpanKind.SERVER : SpanKind.CONSUMER, attributes: { ...start.attributes } },
    parent,
  )
  try {
    return await context.with(trace.setSpan(parent, span), () => run(toldOf(span)))
  } catch (error) {
    toldOf(span).failed(error instanceof Error ? error.name : 'error')
    throw error
  } finally {
    span.end()
  }
}

/** The span that an HTTP instrumentation has started, otherwise the caller's, otherwise none. */
function parentOf({ parent }: SpanStart): Context {
  const active = context.active()
  if (trace.getSpan(active) !== undefined) return active
  const remote = parent()
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote)
}

const toldOf = (span: Span): Traced => ({
  traceId: span.spanContext().traceId,
  traceparent: writeTraceparent(span.spanContext()),
  set: (name, value) => void span.setAttribute(name, value),
  failed(type) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  },
})
