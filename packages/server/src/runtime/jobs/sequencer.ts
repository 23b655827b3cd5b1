/**
 * Runs sealing passes: after each commit that wrote evidence, again while rows are left, and regularly for rows of
 * processes that died. It knows nothing of chains; a pass is a port.
 *
 * INVARIANT: at most one pass runs in this process. A pass that fails is repeated, and no wake-up is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Metrics } from '../metrics/port.js'

export interface SealPass {
  readonly sealed: number
  /** Rows are left in the outbox: they are not ready yet, exceed the batch, or another process is sealing. */
  readonly left: boolean
}

export interface SequencerOptions {
  pass(): Promise<SealPass>
  /** True for an error that another pass resolves: another process appended first. */
  isConflict(error: unknown): boolean
  readonly metrics: Metrics
  readonly onError: (error: unknown) => void
  /** Returns how many rows wait in the outbox and since when. */
  pending(): Promise<{ readonly count: number /** Of the oldest row. */; readonly ageMs: number }>
  /** Waits between two passes; ends early when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Sequencer {
  /** Signals that something was committed. It is cheap; call it after every such commit. */
  wake(): void
  /** Starts looking for rows that no wake-up announced. */
  start(): void
  /**
   * Runs passes until the outbox is empty or `deadlineMs` from now is reached.
   *
   * @returns True when the outbox is empty.
   */
  drain(deadlineMs: number): Promise<boolean>
  /** Stops looking, and waits for the pass that runs. */
  stop(): Promise<void>
}

/**
 * The pause between two passes under load. The more events a pass seals, the fewer pages of the trail's indexes it
 * writes for each. The first commit after a quiet time is sealed at once.
 */
const GAP_MS = 25
/** The unit of the pauses after a pass that sealed nothing. */
const RETRY_MS = 4
const LOOK_EVERY_MS = 1000
const CONFLICTS_MAX = 10
const FAILURE_PAUSE_MS_MAX = 5000
const WAIT_PAUSE_MS_MAX = 100

/** What happened since the last successful pass. */
interface Streak {
  failures: number
  conflicts: number
  waits: number
}

function pauseAfterPass(streak: Streak, { sealed, left }: SealPass): number {
  streak.failures = 0
  streak.conflicts = 0
  streak.waits = sealed > 0 || !left ? 0 : streak.waits + 1
  return streak.waits > 0 ? Math.min(WAIT_PAUSE_MS_MAX, RETRY_MS * streak.waits) : GAP_MS
}

function pauseAfterError(streak: Streak, error: unknown, { isConflict, metrics, onError }: SequencerOptions): number {
  if (isConflict(error) && ++streak.conflicts <= CONFLICTS_MAX) {
    metrics.count('audit_append_retry_total')
    return Math.random() * RETRY_MS * streak.conflicts
  }
  streak.failures += 1
  onError(error)
  return Math.min(FAILURE_PAUSE_MS_MAX, 50 * 2 ** Math.min(streak.failures, 10))
}

/** Looks for rows that no wake-up announced, and updates the metrics of the outbox. */
async function look({ pending, metrics, onError }: SequencerOptions, wake: () => void): Promise<void> {
  try {
    const { count, ageMs } = await pending()
    metrics.gauge('audit_outbox_pending', count)
    metrics.gauge('audit_outbox_oldest_seconds', ageMs / 1000)
    // guard: rows-that-nobody-announced
    if (count > 0) wake()
  } catch (error) {
    onError(error)
  }
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

export function createSequencer(options: SequencerOptions): Sequencer {
  const { pause = pauseFor } = options
  let wanted = false
  let running: Promise<void> | null = null
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  const ending = new AbortController()

  async function run(): Promise<void> {
    const streak: Streak = { failures: 0, conflicts: 0, waits: 0 }
    while (wanted) {
      wanted = false
      let pauseMs: number
      try {
        const pass = await options.pass()
        if (pass.left) wanted = true
        pauseMs = pauseAfterPass(streak, pass)
      } catch (error) {
        // guard: a-pass-that-fails-is-repeated
        wanted = true
        pauseMs = pauseAfterError(streak, error, options)
      }
      if (stopped) return
      await pause(pauseMs, ending.signal)
    }
  }

  function wake(): void {
    wanted = true
    // guard: one-pass-at-a-time
    if (stopped || running !== null) return
    running = new Promise<void>((begin) => setImmediate(begin)).then(run).finally(() => {
      running = null
      // A wake-up arrived between the last check of `wanted` and here.
      // guard: a-wake-up-while-a-pass-ends
      if (wanted) wake()
    })
  }

  return {
    wake,
    start() {
      timer ??= setInterval(() => void look(options, wake), LOOK_EVERY_MS).unref()
      wake()
    },
    async drain(deadlineMs) {
      const until = performance.now() + deadlineMs
      for (;;) {
        wake()
        await running
        const { count } = await options.pending()
        if (count === 0) return true
        if (stopped || performance.now() >= until) return false
      }
    },
    async stop() {
      stopped = true
      ending.abort()
      if (timer !== null) clearInterval(timer)
      timer = null
      // guard: stopping-waits-for-the-pass-that-runs
      await running
    },
  }
}
