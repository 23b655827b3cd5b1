/** Composes the domains into one process: their operations behind HTTP, their jobs behind the queue, their checks behind the probes. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackgroundOptions, composeBackground } from './compose-background.js'
import { type ComposedRuntime, composeRuntime, type RuntimeOptions } from './compose-runtime.js'
import { DOMAINS } from './domains.js'
import { homePage } from './home.js'
import type { Background } from './runtime/background.js'
import { Health } from './runtime/health/health.js'
import { mountProbes } from './runtime/health/probes.js'
import { authenticatorPort } from './runtime/http/authenticator.js'
import { createHttp } from './runtime/http/mount.js'
import { type ObservedHttp, observe } from './runtime/http/observe.js'
import { mountPages } from './runtime/http/pages.js'
import { openSite } from './runtime/http/site.js'
import { uploadFolder } from './runtime/http/upload-folder.js'
import { type Domain, listed } from './runtime/manifest.js'
import type { ProcessMetrics } from './runtime/metrics/metrics.js'
import type { Runtime } from './runtime/operation/context.js'
import type { Operation } from './runtime/operation/operation.js'
import { requirePort } from './runtime/port.js'
import { SERVER_VERSION } from './runtime/version.js'

export interface AppOptions extends RuntimeOptions, BackgroundOptions {
  /** Those of the server unless said. */
  readonly domains?: readonly Domain[]
}

export interface App {
  readonly runtime: Runtime
  readonly operations: readonly Operation[]
  readonly http: ObservedHttp
  readonly health: Health
  readonly metrics: ProcessMetrics
  readonly background: Background
  /** Begins the background work of the process. */
  start(): void
  /** Before the draining: ends what asks this server itself. */
  leave(): Promise<void>
  /** Ends event streams, finishes jobs that run, and seals what waits, for at most this long. */
  drain(msMax: number): Promise<void>
  /** Ends a draining early. */
  cut(): void
  /** Closes what this app opened; the store is its owner's. */
  close(): Promise<void>
}

export function createApp(options: AppOptions): App {
  const { settings, log, domains = DOMAINS } = options
  const mounted = domains.filter(({ name }) => settings.PLUMBLINE_MODULES.some((module) => module === name))
  const composed = composeRuntime(options, domains, mounted)
  const { runtime, metrics } = composed
  const { background, close: closeBackground } = composeBackground(composed, mounted, options)
  const operations = mounted.flatMap((domain) => listed(domain.operations, settings))
  const health = new Health([...composed.checks, ...mounted.flatMap(({ checks }) => checks(runtime))])
  const draining = new AbortController()
  const http = composeHttp(composed, { mounted, operations, health, drain: draining.signal })
  return {
    runtime,
    operations,
    http: observe({ http, metrics, log, clock: runtime.clock }),
    health,
    metrics,
    background,
    start: () => background.start(),
    leave: () => background.leave(),
    async drain(msMax) {
      draining.abort()
      await background.drain(msMax)
    },
    cut: () => background.cut(),
    async close() {
      for (const domain of domains) await domain.close(runtime)
      closeBackground()
      await composed.close()
    },
  }
}

interface HttpParts {
  readonly mounted: readonly Domain[]
  readonly operations: readonly Operation[]
  readonly health: Health
  readonly drain: AbortSignal
}

function composeHttp({ runtime, metrics }: ComposedRuntime, { mounted, operations, health, drain }: HttpParts) {
  const { settings, log } = runtime
  const { BASE_PATH: basePath } = settings
  const behindTls = settings.TLS_CERT !== null || (settings.PUBLIC_URL ?? '').startsWith('https:')
  const sites = mounted.flatMap(({ site }) =>
    site === null ? [] : [{ site, open: openSite(site, { basePath, behindTls }) }],
  )
  const open = sites.flatMap((each) => (each.open === null ? [] : [each.open]))
  const api = createHttp({
    runtime,
    operations,
    authenticator: requirePort(runtime, authenticatorPort),
    basePath,
    version: SERVER_VERSION,
    onError: (error, requestId) => log?.write('http.operation_failed', { error, requestId }),
    trustedProxyHops: settings.TRUST_PROXY,
    behindTls,
    corsOrigins: settings.CORS_ORIGIN,
    checkResponses: settings.NODE_ENV !== 'production',
    bodyBytesMax: settings.BODY_LIMIT_BYTES,
    pageMax: settings.MAX_PAGE_LIMIT,
    // Beside the blobs where they are files; else nothing needs a folder of its own.
    uploadFolder: uploadFolder(settings.BLOB_STORE === 'fs' ? join(settings.DATA_DIR, 'uploads') : tmpdir()),
    drain,
    elsewhere: (c) => open.reduce<Promise<Response> | null>((found, site) => found ?? site.answer(c), null),
  })
  for (const { entries, index } of open) for (const path of entries) api.get(path, index)
  const taken = new Set(open.flatMap(({ entries }) => entries))
  const missing = sites.flatMap(({ site, open: opened }) => (opened === null ? [site.missing] : []))
  const pages = [homePage(basePath), ...mounted.flatMap((domain) => domain.pages), ...missing]
  const shown = pages.filter(({ path }) => !taken.has(path))
  mountPages(api, shown, { basePath, behindTls })
  return mountProbes(api, {
    health,
    metrics,
    basePath,
    metricsToken: settings.METRICS_TOKEN,
    metricsLoopback: settings.METRICS_LOOPBACK,
    peerOf,
  })
}

/** The other end of the connection, as @hono/node-server hands it over. */
function peerOf(env: unknown): string | null {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? null
}
