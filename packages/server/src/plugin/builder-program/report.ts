/** Sends the log of one build to the server, with the secret values of the build hidden, whatever their encoding. */
import { SignInRefused } from '../../runtime/http/service-token.js'
import type { BuilderApi, ClaimedJob } from './api.js'
import { NotHeld, untilAnswered } from './api.js'
import { createHider, type Hider } from './hide.js'

const SENT_EVERY_MS = 1000
/** Small, because the server reads a piece at once, and answers nobody else meanwhile. */
const SENT_CHARS_MAX = 32_768
/** A build that prints fast sends several pieces each time, up to as much as may be held. */
const PIECES_MAX = 8
/** Output that the build prints faster than it can be sent is left out beyond this. */
const HELD_CHARS_MAX = 262_144
const TAIL_CHARS = 4000
/** A lease ends earlier, so the build is somebody else's by then. */
const UNANSWERED_MS_MAX = 90_000

export interface Report {
  phase: string
  write(text: string): void
  /** The last lines of the log. */
  readonly tail: string
  /** Sends the remaining text. */
  close(): Promise<void>
}

export interface ReportOptions {
  readonly secrets: readonly { readonly value: string }[]
  /** Once it aborts, a server that is away is not waited for. */
  readonly signal: AbortSignal
  /** Called when the server no longer wants the build, or did not answer until its lease was over. */
  onStop(reason: Error): void
}

export function reportOf(api: BuilderApi, job: ClaimedJob, { secrets, signal, onStop }: ReportOptions): Report {
  const hider = createHider(secrets.map(({ value }) => value))
  const log = logTo(api, job, hider)
  let heldChars = 0
  let omitted = false
  let beatAt = 0
  let working = Promise.resolve()
  const report: Report & { phase: string } = {
    phase: 'fetching',
    get tail() {
      return log.tail
    },
    write(text) {
      if (heldChars > HELD_CHARS_MAX) {
        omitted = true
        return
      }
      // The server accepts no text with a NUL.
      // guard: no-output-of-a-build-stops-its-log
      const plain = text.replaceAll('\0', '')
      hider.add(omitted ? `\n[… left out …]\n${plain}` : plain)
      heldChars += text.length
      omitted = false
    },
    async close() {
      clearInterval(timer)
      await working
      while (!log.isSent) await untilAnswered(signal, () => log.send(true))
    },
  }
  let phase = ''
  let answeredAtMs = performance.now()
  const tick = async () => {
    try {
      for (let sent = 0; sent === 0 || (sent < PIECES_MAX && hider.held.length >= SENT_CHARS_MAX); sent++) {
        await log.send(false).finally(() => {
          heldChars = hider.held.length
        })
      }
      if (phase === report.phase && Date.now() - beatAt < 4000) return
      phase = report.phase
      beatAt = Date.now()
      if (await api.heartbeat(job, report.phase)) onStop(new NotHeld('the build was cancelled'))
      answeredAtMs = performance.now()
    } catch (error) {
      // If the server does not answer for a moment, the next tick tries again. If it answers that the builder no longer
      // holds the build, the build stops.
      if (error instanceof NotHeld) return onStop(error)
      // A builder whose credential was taken away can neither finish the build nor give it back.
      // guard: a-build-ends-with-the-credential-of-its-builder
      if (error instanceof SignInRefused && error.isByServer) {
        return onStop(new NotHeld(`the build was given up: ${error.message}`))
      }
      // guard: a-build-ends-when-its-lease-must-have
      if (performance.now() - answeredAtMs > UNANSWERED_MS_MAX) {
        const why = error instanceof Error ? error.message : String(error)
        onStop(new NotHeld(`the build was given up, because the server took no report for 90 s: ${why}`))
      }
    }
  }
  const timer = setInterval(() => {
    working = working.then(tick)
  }, SENT_EVERY_MS)
  return report
}

/** Sends what the hider lets go, in order and each character once. */
function logTo(api: BuilderApi, job: ClaimedJob, hider: Hider) {
  let tail = ''
  let place = 0
  /** What the server has not confirmed yet. It recognizes a piece that it has received before. */
  let unsent = ''
  return {
    get tail() {
      return `${tail}${hider.held}`.slice(-TAIL_CHARS)
    },
    get isSent() {
      return unsent === '' && hider.held === ''
    },
    async send(isEnd: boolean): Promise<void> {
      // guard: a-piece-of-a-log-that-was-lost-is-sent-again
      if (unsent === '') {
        unsent = hider.take(SENT_CHARS_MAX, isEnd)
        tail = `${tail}${unsent}`.slice(-TAIL_CHARS)
      }
      if (unsent === '') return
      await api.log(job, place, unsent)
      place += Buffer.byteLength(unsent)
      unsent = ''
    },
  }
}
