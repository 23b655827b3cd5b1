/**
 * A `fetch` that tries again what is safe to try again: reads, and writes that carry an `Idempotency-Key`, after 429, 502,
 * 503, 504 or a lost connection. It waits as long as `Retry-After` says, else a little longer each time.
 */

export interface RetryOptions {
  /** Tries in all; 3 unless said. */
  readonly attempts?: number
  /** The first pause, doubled each time; 200 ms unless said. */
  readonly pauseMs?: number
  /** The longest that a `Retry-After` is obeyed; 30 s unless said. A longer one ends the trying. */
  readonly pauseMsMax?: number
  readonly sleep?: (ms: number) => Promise<void>
}

const TRANSIENT = new Set([429, 502, 503, 504])

export function retrying(
  fetch: (request: Request) => Promise<Response> = (request) => globalThis.fetch(request),
  options: RetryOptions = {},
): (request: Request) => Promise<Response> {
  const { attempts = 3, pauseMs = 200, pauseMsMax = 30_000, sleep = pause } = options
  return async (request) => {
    const isSafe = request.method === 'GET' || request.method === 'HEAD' || request.headers.has('idempotency-key')
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts || !isSafe
      let waitMs = pauseMs * 2 ** (attempt - 1)
      try {
        const response = await fetch(isLast ? request : request.clone())
        if (isLast || !TRANSIENT.has(response.status)) return response
        const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
        if (Number.isFinite(seconds)) waitMs = seconds * 1000
        if (waitMs > pauseMsMax) return response
        await response.body?.cancel()
      } catch (error) {
        if (isLast) throw error
      }
      await sleep(waitMs)
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
