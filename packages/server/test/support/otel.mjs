/**
 * The module that an operator loads with `--import`: a real SDK, here with an exporter that keeps its spans in memory.
 */
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

export const exporter = new InMemorySpanExporter()
export const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
