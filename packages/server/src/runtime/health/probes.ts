/** `/healthz`, `/readyz` and `/metrics`, outside the base path. Source: spec platform 1.2. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import type { ProcessMetrics } from '../metrics/metrics.js'
import type { Health } from './health.js'

export interface ProbeOptions {
  readonly health: Health
  readonly metrics: ProcessMetrics
  /** Where the API is mounted; it has a copy of `/healthz` at `<base>/health`. */
  readonly basePath: string
  readonly metricsToken: string | null
  /** Without a token, connections from this machine may read the metrics. */
  readonly metricsLoopback: boolean
  /** The address of the connection's other end; null when there is none (in a test). */
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

/** As for any path that does not exist. */
const ABSENT = { success: false, statusCode: 404, code: 'NOT_FOUND', message: 'there is no such path' }
const NOT_KEPT = { 'cache-control': 'no-store' }
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/** What proxies add. One that adds nothing cannot be told from a client on this machine, so that loopback has to be asked for. */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** With a token, who has it; without one nobody, or loopback where the operator says that no proxy is there. */
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

/** Compares digests, so that neither length nor content shows in the time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
