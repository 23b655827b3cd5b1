/** The day on which a metered quota is used up at the current pace; null if that is after the end of the period. */
interface Metered {
  readonly used: number
  readonly limit: number
  readonly periodStart: string
  readonly periodEnd: string
}

export function reachedOn({ used, limit, periodStart, periodEnd }: Metered, nowMs: number): string | null {
  const startMs = Date.parse(periodStart)
  if (used <= 0 || limit <= 0 || nowMs <= startMs) return null
  const atMs = startMs + ((nowMs - startMs) * limit) / used
  return atMs > Date.parse(periodEnd) ? null : new Date(Math.max(atMs, nowMs)).toISOString()
}
