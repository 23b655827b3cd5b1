/**
 * Combines the exit codes of many outcomes into one: usage (2) wins over not evaluated (3), that over findings (1), and
 * that over clean (0). An internal fault (70) wins over all (docs/reference/exit-codes-and-formats.md).
 */
import { ExitCode } from '../command.js'

const precedence: readonly number[] = [
  ExitCode.internal,
  ExitCode.usage,
  ExitCode.notEvaluated,
  ExitCode.findings,
  ExitCode.clean,
]

export function highestExit(codes: Iterable<number>): number {
  let best = precedence.length - 1
  for (const code of codes) {
    const rank = precedence.indexOf(code)
    best = Math.min(best, Math.max(rank, 0))
  }
  return precedence[best] ?? ExitCode.internal
}
