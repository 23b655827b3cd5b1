/**
 * A `fetch` that retries requests that are safe to retry: reads, and writes with an `Idempotency-Key`, after 429, 502,
 * 503, 504 or a lost connection. It waits as long as `Retry-After` says. Otherwise each pause is longer than the one
 * before.
 */

export interface RetryOptions {
  /** Number of attempts, including the first; 3 by default. */
  readonly attempts?: number
  /** The first pause, doubled after each attempt; 200 ms by default. */
  readonly pauseMs?: number
  /** The longest `Retry-After` that is waited for; 30 s by default. A longer one ends the retries. */
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
        if (isLast || request.signal.aborted) throw error
      }
      await unlessAborted(request.signal, sleep(waitMs))
    }
  }
}

/** Rejects as soon as the caller aborts the request: nothing is sent after the pause then. */
function unlessAborted(signal: AbortSignal, pausing: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    pausing.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
