/** The clock is a port: everything that depends on time reads it here, so that a test can control the time. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that stands still until a test advances it. */
export function heldClock(startMs: number): Clock & { advance(ms: number): void; set(ms: number): void } {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms
    },
    set(ms) {
      nowMs = ms
    },
  }
}

let lately = { ms: 0, text: '1970-01-01T00:00:00.000Z' }

/** `2026-11-21T10:00:00.000Z`, the one form of time on the wire. */
export function toIso(ms: number): string {
  // A request formats the same instant several times, and so do the events that are sealed with it.
  if (ms !== lately.ms) lately = { ms, text: new Date(ms).toISOString() }
  return lately.text
}

export const toIsoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
