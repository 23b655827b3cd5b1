/**
 * Reports writes that stay open. An open write delays every later write (SQLite) or keeps its row locks (PostgreSQL),
 * so it is reported by name while it is still open. A command gets no port to the network, to files or to timers; this
 * finds one that waits for something in spite of that. Source: spec platform 25.2.
 */
export interface SlowWrite {
  /** The operation, or `unnamed`. */
  readonly operation: string
  /** How long it had been open when it was noticed, in ms. */
  readonly openMs: number
}

export type OnSlowWrite = (write: SlowWrite) => void

const OPEN_MS_MAX = 50

/** Watches one write at a time. One timer serves all writes. */
export function slowWriteWatch(report: OnSlowWrite | undefined): {
  opened(operation: string): void
  closed(): void
} {
  if (report === undefined) return { opened: () => undefined, closed: () => undefined }
  let open: { operation: string; sinceMs: number } | null = null
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    if (open !== null) report({ operation: open.operation, openMs: Math.round(performance.now() - open.sinceMs) })
  }
  return {
    opened(operation) {
      open = { operation, sinceMs: performance.now() }
      if (timer === null) timer = setTimeout(look, OPEN_MS_MAX).unref()
      else timer.refresh()
    },
    closed() {
      open = null
    },
  }
}
