/** `/healthz`, `/readyz` and `/metrics`, outside the base path. Source: spec platform 1.2. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import type { ProcessMetrics } from '../metrics/metrics.js'
import type { Health } from './health.js'

export interface ProbeOptions {
  readonly health: Health
  readonly metrics: ProcessMetrics
  /** The path under which the API is mounted. A copy of `/healthz` is at `<base>/health`. */
  readonly basePath: string
  readonly metricsToken: string | null
  /** When no token is set, connections from this machine may read the metrics. */
  readonly metricsLoopback: boolean
  /** The address of the peer of the connection; null when there is none (in a test). */
  readonly peerOf: (env: unknown) => string | null
}

export function mountProbes(app: Hono, options: ProbeOptions): Hono {
  const alive = () => Response.json({ status: 'ok' }, { headers: NOT_KEPT })
  app.get('/healthz', alive)
  app.get(`${options.basePath}/health`, alive)
  app.get('/readyz', async () => {
    const { ready, checks } = await options.health.readiness()
    return Response.json(
      { status: ready ? 'ready' : 'not ready', checks },
      { status: ready ? 200 : 503, headers: NOT_KEPT },
    )
  })
  app.get('/metrics', async (c) => {
    if (!mayScrape(c.req.raw.headers, options.peerOf(c.env), options)) {
      return Response.json(ABSENT, { status: 404, headers: NOT_KEPT })
    }
    const { contentType, body } = await options.metrics.text()
    return new Response(body, { headers: { ...NOT_KEPT, 'content-type': contentType } })
  })
  return app
}

/** The same answer as for a path that does not exist. */
const ABSENT = { success: false, statusCode: 404, code: 'NOT_FOUND', message: 'this path does not exist' }
const NOT_KEPT = { 'cache-control': 'no-store' }
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/**
 * Headers that proxies add. A proxy that adds none looks like a client on this machine, so an operator must enable
 * loopback explicitly.
 */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/**
 * When a token is set, callers who send it may read the metrics. Without one nobody may, or loopback when the operator
 * says that there is no proxy.
 */
function mayScrape(
  headers: Headers,
  peer: string | null,
  { metricsToken, metricsLoopback }: Pick<ProbeOptions, 'metricsToken' | 'metricsLoopback'>,
): boolean {
  if (metricsToken !== null) return isSame(headers.get('authorization') ?? '', `Bearer ${metricsToken}`)
  const isForwarded = OF_PROXIES.some((name) => headers.has(name))
  // guard: metrics-are-for-loopback-where-that-is-set
  return metricsLoopback && peer !== null && LOOPBACK.test(peer) && !isForwarded
}

/** Compares digests, so that the time depends on neither length nor content. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
