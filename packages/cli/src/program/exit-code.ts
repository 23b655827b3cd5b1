/**
 * One exit code from many outcomes: usage (2) over not evaluated (3) over findings (1) over clean (0), and an internal
 * fault (70) over all of them (docs/reference/exit-codes-and-formats.md).
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
