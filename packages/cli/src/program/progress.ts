/**
 * A progress bar on stderr for work that takes over a second, on a terminal only.
 * INVARIANT: code that writes to the terminal calls `clear` first, so that the bar never mixes with output.
 */
import type { Io } from '../command.js'

export interface Progress {
  update(done: number, total: number): void
  clear(): void
}

const delayMs = 1000
const intervalMs = 100
const width = 24

export function createProgress(io: Io, label: string, isQuiet: boolean): Progress {
  if (!io.stderrIsTty || isQuiet) return { update: () => {}, clear: () => {} }
  const startedMs = io.now().getTime()
  let drawnMs = startedMs
  let isDrawn = false
  return {
    update(done, total) {
      const nowMs = io.now().getTime()
      if (nowMs - startedMs < delayMs || nowMs - drawnMs < intervalMs || total === 0) return
      drawnMs = nowMs
      isDrawn = true
      const filled = Math.round((done / total) * width)
      io.stderr.write(`\r${'━'.repeat(filled)}${'╌'.repeat(width - filled)} ${done}/${total} ${label}\u001b[K`)
    },
    clear() {
      if (isDrawn) io.stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}
