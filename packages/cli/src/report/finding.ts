/**
 * The results of `check`, as plain data: they are sent between threads, and every report is written from them.
 * INVARIANT: a value of an entity is included only if the engine published it (redacted and bounded) as `actual`.
 */
import type { Failure, JsonValue, Target } from '@plumbline/engine'
import type { Diagnostic } from '../input/diagnostic.js'

export interface Suppression {
  readonly kind: 'exemption' | 'baseline'
  /** Id of the exemption; null for the baseline. */
  readonly id: string | null
  readonly reason: string | null
  readonly expiresAt: string | null
}

export interface EntitySummary {
  readonly target: Target
  /** The `id` that the file gives, which the `entityId` of an exemption is compared with; null without one. */
  readonly id: string | null
  readonly name: string
  /** Position of the entity in its file, from 0. */
  readonly ordinal: number
  readonly line: number
}

export interface Finding {
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly severity: string
  readonly message: string
  readonly file: string
  /**
   * Position of the key that the rule reads, or of the nearest parent that exists; from 1. With `failures`, the
   * position of the last of their keys that the file has.
   */
  readonly line: number
  readonly column: number
  /** Exclusive end of the value, when it is on the same line. */
  readonly endColumn: number | null
  /** Which document of the file, from 0. */
  readonly document: number
  readonly entity: EntitySummary
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  readonly actual: JsonValue
  /**
   * The entries of a rule with alternatives, all of which failed; absent for other rules. `message` includes what was
   * found.
   */
  readonly failures?: readonly Failure[]
  /** Error code of a rule that could not be evaluated. */
  readonly issue: string | null
  /** Identifies this finding in later runs. It does not depend on the line or the message. */
  readonly fingerprint: string
  /** The fingerprint without the file. A finding of a server for the same entity has the same one. */
  readonly entityFingerprint: string
  /** Why the finding does not count; null if it counts. */
  readonly suppression: Suppression | null
  /** The part of the source line that may be shown. */
  readonly excerpt: string
}

export interface FileResult {
  readonly file: string
  readonly entities: readonly EntitySummary[]
  /** In the order of the entities, then of the rules. Includes suppressed findings. */
  readonly findings: readonly Finding[]
  /** What could not be read or parsed, whose kind could not be guessed, or what was over a limit. */
  readonly problems: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly unknownKeys: readonly { readonly target: Target; readonly key: string }[]
  /** Ids of the exemptions that match an entity of the file, even if there is nothing to waive. */
  readonly covering: readonly string[]
  /** Names of rules that wait for the built image of a plugin in the file. */
  readonly waiting: readonly string[]
  /** What the entities leave out and the server sets when it stores a new record. */
  readonly leftToWrite: readonly { readonly target: Target; readonly key: string }[]
}

/** `none` is above every severity. An unknown severity blocks, so it counts as the highest. */
export function reachesSeverity(severity: string, threshold: string): boolean {
  const rank = (name: string) => {
    const index = ['warning', 'error', 'critical'].indexOf(name)
    return index < 0 ? 2 : index
  }
  return threshold !== 'none' && rank(severity) >= rank(threshold)
}
