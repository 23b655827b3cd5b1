/**
 * Counts, times and logs every request, and knows how many are not answered yet. A request is identified by the
 * template of its route, never by its path, because paths may contain secrets.
 */
import type { Hono } from 'hono'
import type { Clock } from '../clock.js'
import type { Log } from '../log/log.js'
import type { ProcessMetrics } from '../metrics/metrics.js'
import type { NodeBindings } from './sent-headers.js'

const READINESS = '/readyz'

export interface ObservedHttp {
  fetch(request: Request, env?: object): Promise<Response>
  readonly inFlight: number
  /** Asks clients to disconnect: answers close their connection from now on. */
  startDraining(): void
  /** Resolves when every request is answered. */
  idle(): Promise<void>
}

export interface ObserveOptions {
  readonly http: Hono
  readonly metrics: ProcessMetrics
  readonly log: Log
  readonly clock: Clock
}

export function observe({ http, metrics, log, clock }: ObserveOptions): ObservedHttp {
  let inFlight = 0
  let isDraining = false
  let waiting: (() => void)[] = []
  metrics.onScrape(() => metrics.gauge('http_requests_in_flight', inFlight))
  const end = () => {
    inFlight -= 1
    if (inFlight > 0) return
    for (const tell of waiting) tell()
    waiting = []
  }
  return {
    get inFlight() {
      return inFlight
    },
    startDraining() {
      isDraining = true
    },
    idle: () => (inFlight === 0 ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve))),
    async fetch(request, env = {}) {
      inFlight += 1
      const startedMs = clock.now()
      try {
        const response = await http.fetch(request, env)
        const { method } = request
        const route = (env as NodeBindings).route ?? routeOf(http, request)
        const ms = clock.now() - startedMs
        metrics.count('http_requests_total', { method, route, status: String(response.status) })
        metrics.observe('http_request_duration_seconds', ms / 1000, { method, route })
        // A readiness probe that is answered "not ready" got a correct answer. It repeats while the process starts or
        // drains.
        const isFailed = response.status >= 500 && route !== READINESS
        // Only for a line that is written, because reading the headers makes the adapter build them for every answer.
        const isRefused = response.status >= 400 && route !== READINESS
        if (isFailed || isRefused || log.isDebug) {
          const requestId = response.headers.get('x-request-id')
          const fields = { method, route, status: response.status, ms, requestId }
          if (isFailed) log.write('http.request_failed', fields)
          // A client gets the id of its request, so an operator finds this line when the client asks about it.
          else if (isRefused) log.write('http.request_refused', fields)
          else log.write('http.request_served', fields)
        }
        if (isDraining) response.headers.set('connection', 'close')
        return response
      } finally {
        end()
      }
    },
  }
}

/** The template that answered, such as `/api/organization/:id`; one name for all paths that do not exist. */
function routeOf(http: Hono, request: Request): string {
  const { pathname } = new URL(request.url)
  const [matches] = http.router.match(request.method, pathname)
  // Middlewares match too; the handler of the route is the last match.
  const [, route] = matches.at(-1)?.[0] ?? []
  return route?.path ?? 'none'
}
