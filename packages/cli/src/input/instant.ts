/** An instant that the user typed. */
import { UsageError } from '../command.js'
import { parseInstant } from './record.js'

/** @param typed what stands before it, such as `--until`. */
export function instantOf(text: string, typed?: string): string {
  const instant = parseInstant(text)
  if (instant !== null) return instant.toISOString()
  throw new UsageError(
    `${typed === undefined ? '' : `\`${typed}\`: `}\`${text}\` is not an instant`,
    'write 2026-01-31T12:00:00Z, or 2026-01-31 for its first moment',
  )
}
